import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { subjectWords, type ApprovalRequest } from '../../protocol/approval';
import { approvalWords } from '../approvalWords';
import { plain } from '../plain';
import { ApprovalButtons } from './approvalButtons';
import { ApprovalContent } from './approvalContent';
import { ApprovalHead, isDanger } from './approvalHead';
import { usePage } from './context';
import { DenyReason } from './denyReason';
import { useCardFocus, useCardSight } from './useCard';

interface CardProps {
  readonly seq: number;
  readonly idx: number;
  readonly request: ApprovalRequest;
}

/** A call that waits for leave, in place of its row. */
export function ApprovalCard({ seq, idx, request }: CardProps): VNode {
  const page = usePage();
  const card = useRef<HTMLDivElement>(null);
  const explaining = useSignal(false);
  const words = useSignal('');
  const elsewhere = page.live.value?.status.owner === 'elsewhere';
  const danger = isDanger(request);
  useCardSight(card, request.id);
  useCardFocus(card);

  const onKeyDown = (event: KeyboardEvent): void => {
    // What is pressed in a text or in a menu is meant for it.
    const inner = event.target instanceof Element && event.target.closest('textarea, [role=menu]') !== null;
    if (event.defaultPrevented || inner) return;
    const modified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const answers = modified && (event.key === 'Enter' || event.key === 'Backspace');
    if (!answers && event.key !== 'Escape') return;
    // Also so that the button that has the focus is not pressed.
    event.preventDefault();
    if (event.key === 'Escape') return page.focusComposer();
    // A key that is held down would answer the next card as well, before anybody has read it.
    if (event.repeat || elsewhere || (event.key === 'Enter' && danger)) return;
    void page.permissions.answer(request, { kind: event.key === 'Enter' ? 'allow' : 'deny' });
  };
  return (
    <div
      ref={card}
      class={danger ? 'frame ask danger' : 'frame ask'}
      role="group"
      aria-label={approvalWords.name(plain(subjectWords(request.subject)))}
      tabIndex={-1}
      data-request={request.id}
      onKeyDown={onKeyDown}
    >
      <ApprovalHead request={request} />
      {elsewhere || !explaining.value ? (
        <>
          <ApprovalContent seq={seq} idx={idx} subject={request.subject} />
          {elsewhere ? (
            <div class="why">{approvalWords.elsewhere}</div>
          ) : (
            <ApprovalButtons request={request} danger={danger} onExplain={() => (explaining.value = true)} />
          )}
        </>
      ) : (
        <DenyReason
          request={request}
          words={words}
          onBack={() => {
            explaining.value = false;
            card.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </div>
  );
}
