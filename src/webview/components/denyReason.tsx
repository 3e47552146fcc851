import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApprovalRequest } from '../../protocol/approval';
import { approvalWords } from '../approvalWords';
import { AnswerButton } from './answerButton';
import { usePage } from './context';

/** Where the person says why not, in place of what was asked for. Without words it is a plain no. */
export function DenyReason(props: { request: ApprovalRequest; words: Signal<string>; onBack: () => void }): VNode {
  const { request, words, onBack } = props;
  const page = usePage();
  const area = useRef<HTMLTextAreaElement>(null);
  const on = page.permissions.answering.value.get(request.id);
  useEffect(() => area.current?.focus(), []);

  const deny = (): void => {
    const said = words.value.trim();
    void page.permissions.answer(request, said === '' ? { kind: 'deny' } : { kind: 'deny', words: said });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that an input method uses itself; some say so by the code only.
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat) deny();
    else if (event.key === 'Escape') onBack();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="why">
        <textarea
          ref={area}
          aria-label={approvalWords.reason}
          placeholder={approvalWords.reasonHint}
          rows={2}
          value={words.value}
          onInput={(event) => (words.value = event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="foot-acts">
        <div class="acts">
          <AnswerButton primary busy={on !== undefined} onPress={deny}>
            {on === 'deny' ? approvalWords.denying : approvalWords.denyWithReason}
          </AnswerButton>
          <AnswerButton primary={false} busy={on !== undefined} onPress={onBack}>
            {approvalWords.back}
          </AnswerButton>
        </div>
      </div>
    </>
  );
}
