import type { Leave } from '../../../src/extension/agent/leave';
import type { Action } from '../../../src/extension/tools/action';
import type { Decision } from '../../../src/extension/tools/permissions/decision';
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/protocol/approval';

/** Everything may be done. */
export const ALL_ALLOWED: Leave = {
  decide: () => Promise.resolve({ kind: 'allow' }),
  given: () => undefined,
  answer: () => Promise.resolve(undefined),
};

/** What is asked for because of the mode. */
const ASK: Decision = { kind: 'ask', reasons: ['mode'], grants: [{ kind: 'answer' }] };

/** A person who is asked, and answers when the test says so. */
export class TestLeave implements Leave {
  /** All that was asked, oldest first. */
  readonly asked: ApprovalRequest[] = [];
  /** Answers that came while nothing ran, by request. */
  readonly early = new Map<string, ApprovalAnswer>();
  /** What was decided about, oldest first: its kind, and whether it could not be written down. */
  readonly decided: string[] = [];
  decision: (action: Action, unsaved: boolean) => Decision = () => ASK;
  #answer: ((answer: ApprovalAnswer) => void) | undefined;
  #watchers: (() => void)[] = [];

  decide(action: Action, unsaved: boolean): Promise<Decision> {
    this.decided.push(unsaved ? `${action.kind}, unsaved` : action.kind);
    return Promise.resolve(this.decision(action, unsaved));
  }

  given({ id }: ApprovalRequest): ApprovalAnswer | undefined {
    return this.early.get(id);
  }

  answer(request: ApprovalRequest, _: Action, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    const early = this.early.get(request.id);
    if (early !== undefined) return Promise.resolve(early);
    if (this.#answer !== undefined) throw new Error('asked while another request waits');
    this.asked.push(request);
    const answer = new Promise<ApprovalAnswer | undefined>((resolve) => {
      this.#answer = resolve;
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    for (const watcher of this.#watchers) watcher();
    return answer.finally(() => {
      this.#answer = undefined;
    });
  }

  /** Answers what waits now. */
  say(answer: ApprovalAnswer): void {
    if (this.#answer === undefined) throw new Error('nothing waits for an answer');
    this.#answer(answer);
  }

  /** The `count`th request, counted from 1, as soon as it waits. */
  async request(count: number): Promise<ApprovalRequest> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.asked.length >= count) resolve();
      };
      this.#watchers.push(look);
      look();
    });
    const request = this.asked[count - 1];
    if (request === undefined) throw new Error('it was not asked for');
    return request;
  }
}
