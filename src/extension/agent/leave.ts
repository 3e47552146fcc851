import type { ApprovalAnswer, ApprovalRequest, AskReason, Grant } from '../../protocol/approval';
import type { Action } from '../tools/action';

/** Whether something may be done. `ask`: the person has to be asked, for these reasons. */
export type Decision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reasons: readonly AskReason[]; readonly grants: readonly Grant[] }
  /** It may not be done at all here: `sentence` tells the model. */
  | { readonly kind: 'refuse'; readonly sentence: string };

/** Who gives leave to the calls of a turn. The conversation that the turn belongs to implements it. */
export interface Leave {
  /** `unsaved`: what is asked for cannot be written down now. */
  decide(action: Action, unsaved: boolean): Promise<Decision>;
  /** What the person has answered already, while nothing ran, to a request that waited; undefined: nothing. */
  given(request: ApprovalRequest): ApprovalAnswer | undefined;
  /**
   * Waits for the person's answer to a request that stands in the transcript and is for this action. Undefined: the
   * signal aborted first. What the answer grants for later is granted when this resolves.
   */
  answer(request: ApprovalRequest, action: Action, signal: AbortSignal): Promise<ApprovalAnswer | undefined>;
}
