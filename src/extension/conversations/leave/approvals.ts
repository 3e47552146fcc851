import type { ApprovalAnswer, ApprovalRequest, Mode, Rule } from '../../../protocol/approval';
import type { Leave } from '../../agent/leave';
import type { StoredMode } from '../../storage/change';
import type { Action } from '../../tools/action';
import { AnswerGrants } from '../../tools/permissions/answerGrants';
import { decide } from '../../tools/permissions/decide';
import type { Decision } from '../../tools/permissions/decision';

/** What leave rests on beside the mode. */
export interface ApprovalSurroundings {
  /** What is allowed in the workspace. Never rejects. */
  rules(): Promise<readonly Rule[]>;
  /** Whether the person trusts the workspace. */
  isTrusted(): boolean;
  /** Allows something from now on in the workspace. */
  grant(rule: Rule): void;
  /** A call begins to wait for an answer, or has it. */
  waiting(waits: boolean): void;
}

interface Waiting {
  readonly request: ApprovalRequest;
  readonly action: Action;
  settle(answer: ApprovalAnswer | undefined): void;
}

/** Gives leave to the calls of one conversation: by its mode, by rules and grants, and by asking the person. */
export class Approvals implements Leave {
  readonly #its: ApprovalSurroundings;
  /** As the file has it, or will. */
  #stored: StoredMode;
  /** In memory only. */
  #bypass = false;
  /** What is allowed until the answer is done. */
  #grants = new AnswerGrants();
  #waiting: Waiting | undefined;
  /** Answers to requests of an earlier life, by their ids, until the call goes on with them. */
  readonly #given = new Map<string, ApprovalAnswer>();

  constructor(mode: StoredMode, its: ApprovalSurroundings) {
    this.#stored = mode;
    this.#its = its;
  }

  get mode(): Mode {
    return this.#bypass ? 'bypass' : this.#stored;
  }

  /** The mode that is kept beyond the window. */
  get storedMode(): StoredMode {
    return this.#stored;
  }

  /** The mode as it was read from the file. Answers whether that makes another one. */
  read(mode: StoredMode): boolean {
    const before = this.mode;
    this.#stored = mode;
    return this.mode !== before;
  }

  /** Bypass was given to this window alone. */
  endBypass(): void {
    this.#bypass = false;
  }

  /** From now on. A call that waits goes on if it would not have to ask any more. */
  setMode(mode: Mode): void {
    this.#bypass = mode === 'bypass';
    if (mode !== 'bypass') this.#stored = mode;
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const unsaved = waiting.request.reasons.includes('unsaved');
    void this.decide(waiting.action, unsaved).then((decision) => {
      if (decision.kind === 'allow' && this.#waiting === waiting && this.mode === mode)
        waiting.settle({ kind: 'allow' });
    });
  }

  async decide(action: Action, unsaved: boolean): Promise<Decision> {
    const rules = await this.#its.rules();
    return decide(action, {
      mode: this.mode,
      rules,
      answerGrants: this.#grants,
      unsaved,
      trusted: this.#its.isTrusted(),
    });
  }

  /** The request that waits for an answer while its turn goes on here. */
  get request(): ApprovalRequest | undefined {
    return this.#waiting?.request;
  }

  /** Answers the request that waits. False: it is another one, or none. */
  settle(requestId: string, answer: ApprovalAnswer): boolean {
    if (this.#waiting?.request.id !== requestId) return false;
    this.#waiting.settle(answer);
    return true;
  }

  /** Keeps an answer for the call that waited since nobody ran it, which is about to go on. */
  give(requestId: string, answer: ApprovalAnswer): void {
    this.#given.set(requestId, answer);
  }

  given({ id }: ApprovalRequest): ApprovalAnswer | undefined {
    return this.#given.get(id);
  }

  async answer(request: ApprovalRequest, action: Action, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    const answer = this.#given.get(request.id) ?? (await this.#wait(request, action, signal));
    this.#given.delete(request.id);
    if (answer?.kind === 'grant') this.#grant(request, answer.grant, action);
    return answer;
  }

  /** What was allowed until the answer is done ends with it. */
  turnEnded(): void {
    this.#grants = new AnswerGrants();
    this.#given.clear();
  }

  #wait(request: ApprovalRequest, action: Action, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const stopped = (): void => settle(undefined);
      const settle = (answer: ApprovalAnswer | undefined): void => {
        signal.removeEventListener('abort', stopped);
        this.#waiting = undefined;
        if (answer !== undefined) this.#its.waiting(false);
        resolve(answer);
      };
      this.#waiting = { request, action, settle };
      signal.addEventListener('abort', stopped, { once: true });
      this.#its.waiting(true);
    });
  }

  #grant({ grants }: ApprovalRequest, index: number, action: Action): void {
    const grant = grants[index];
    if (grant?.kind === 'rule') this.#its.grant(grant.rule);
    else if (grant?.kind === 'answer') this.#grants.add(action);
  }
}
