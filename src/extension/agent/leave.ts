import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval';
import type { Action } from '../tools/action';
import type { Decision } from '../tools/permissions/decision';

/** Who gives leave to the calls of a turn. The conversation that the turn belongs to implements it. */
export interface Leave {
  /** `unsaved`: what is asked for cannot be written down now. */
  decide(action: Action, unsaved: boolean): Promise<Decision>;
  /**
   * Waits for the person's answer to a request that stands in the transcript. Undefined: the signal aborted first. What
   * the answer grants for later is granted when this resolves.
   */
  answer(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined>;
}
