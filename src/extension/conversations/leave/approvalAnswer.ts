import type { ApprovalAnswer, ApprovalRequest } from '../../../protocol/approval';
import type { Reply } from '../../../protocol/wire';
import { DENIAL_CHARS } from '../../base/limits';
import { failed, succeeded, type Result } from '../../base/result';
import { cutAt } from '../../base/text';
import { NO_SUCH_GRANT } from '../replies';

/** The answer of a page as the request takes it: words within their limit, and a grant only if it is offered. */
export function takenAnswer({ grants }: ApprovalRequest, answer: ApprovalAnswer): Result<ApprovalAnswer, Reply> {
  switch (answer.kind) {
    case 'allow':
      return succeeded({ kind: 'allow' });
    case 'grant':
      return grants[answer.grant] === undefined
        ? failed(NO_SUCH_GRANT)
        : succeeded({ kind: 'grant', grant: answer.grant });
    case 'deny': {
      const words = cutAt(answer.words?.trim().toWellFormed() ?? '', DENIAL_CHARS);
      return succeeded(words === '' ? { kind: 'deny' } : { kind: 'deny', words });
    }
  }
}
