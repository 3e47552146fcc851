import type { ApprovalAnswer, ApprovalRequest } from '../../protocol/approval';
import type { Action } from '../tools/action';
import type { Decision } from '../tools/permissions/decision';

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
