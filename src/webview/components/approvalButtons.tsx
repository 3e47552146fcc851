import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval';
import { approvalWords } from '../approvalWords';
import { AnswerButton } from './answerButton';
import { usePage } from './context';
import { grantText } from './grantWords';
import { Icon } from './icon';
import { useLater } from './later';

interface ButtonsProps {
  readonly request: ApprovalRequest;
  /** Then the button that stands out is the one that denies. */
  readonly danger: boolean;
  readonly onExplain: () => void;
}

/** The answers. None is pressed by Enter unless the person has gone to it. */
export function ApprovalButtons({ request, danger, onExplain }: ButtonsProps): VNode {
  const page = usePage();
  const on = page.permissions.answering.value.get(request.id);
  const busy = on !== undefined;
  const answer = (given: ApprovalAnswer): void => void page.permissions.answer(request, given);
  const words = approvalWords;
  return (
    <div class="foot-acts">
      <div class="acts">
        <AnswerButton primary={!danger} busy={busy} onPress={() => answer({ kind: 'allow' })}>
          {on === 'allow' ? words.allowing : words.allow}
        </AnswerButton>
        <GrantButton request={request} on={on} onGrant={(grant) => answer({ kind: 'grant', grant })} />
      </div>
      <div class="acts">
        <AnswerButton primary={danger} busy={busy} onPress={() => answer({ kind: 'deny' })}>
          {on === 'deny' ? words.denying : words.deny}
        </AnswerButton>
        <AnswerButton primary={false} busy={busy} onPress={onExplain}>
          {words.denyWhy}
        </AnswerButton>
      </div>
    </div>
  );
}

interface GrantProps {
  readonly request: ApprovalRequest;
  readonly on: ApprovalAnswer['kind'] | undefined;
  readonly onGrant: (grant: number) => void;
}

/** Leave for more than this once: the narrowest rule, and beside it all that can be granted. */
function GrantButton({ request, on, onGrant }: GrantProps): VNode | null {
  const later = useLater();
  const opener = useRef<HTMLButtonElement>(null);
  const open = useSignal(false);
  const { grants } = request;
  const rule = grants.findIndex(({ kind }) => kind === 'rule');
  const first = grants[Math.max(0, rule)];
  if (first === undefined) return null;
  const words = approvalWords;
  const busy = on !== undefined;
  if (rule < 0)
    return (
      <AnswerButton primary={false} busy={busy} onPress={() => onGrant(0)}>
        {on === 'grant' ? words.allowing : words.grantAnswer}
      </AnswerButton>
    );
  return (
    <>
      <span class="split">
        <AnswerButton
          primary={false}
          name={on === 'grant' ? words.allowing : words.grant}
          hint={grantText(first)}
          busy={busy}
          onPress={() => onGrant(rule)}
        >
          {on === 'grant' ? (
            words.allowing
          ) : (
            <>
              <span class="wide">{words.grant}</span>
              <span class="narrow">{words.grantNarrow}</span>
            </>
          )}
        </AnswerButton>
        <button
          ref={opener}
          class="btn second"
          type="button"
          aria-label={words.moreWays}
          title={words.moreWays}
          aria-haspopup="menu"
          aria-expanded={open.value}
          aria-disabled={busy}
          // The menu closes when the focus leaves it; without this, the press that closes it would open it again.
          onPointerDown={(event) => open.value && event.preventDefault()}
          onClick={() => (open.value = !busy && !open.value)}
        >
          <Icon name="chevron-down" />
        </button>
      </span>
      {later !== undefined && open.value && !busy && (
        <later.GrantMenu
          grants={grants}
          opener={opener}
          onGrant={onGrant}
          onClose={(back) => {
            open.value = false;
            if (back) opener.current?.focus();
          }}
        />
      )}
    </>
  );
}
