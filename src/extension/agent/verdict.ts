import type { EndReason } from '../../protocol/message';
import { FAULT_TRIES, REQUEST_TRIES } from '../base/limits';
import type { ModelFailure } from '../ollama/modelClient';
import { isPassing } from '../ollama/passing';
import { isAnnouncement } from './announcement';
import type { AnswerEnd } from './answer';
import { ANSWER_OR_CALL, SMALLER_STEPS, VALID_JSON } from './hints';
import type { HowEnded } from './openMessage';
import type { RequestVariant } from './request';
import { retryDelay } from './retry';
import { isHalfCall } from './textCalls';

/** What is to be done after one request. */
export type Verdict =
  | { readonly kind: 'stopped' }
  /** There are calls to run. */
  | { readonly kind: 'calls' }
  | { readonly kind: 'end'; readonly how: HowEnded }
  /** Nothing came, for a reason that passes: the same again, after so many milliseconds. */
  | { readonly kind: 'wait'; readonly attempt: number; readonly reason: EndReason; readonly ms: number }
  /** What came is of no use (`reason`): another attempt, with other words or in less room. */
  | {
      readonly kind: 'again';
      readonly reason: EndReason;
      readonly detail?: string;
      readonly variant: RequestVariant;
      readonly compact?: 'if_over' | 'always';
    }
  /** The model cannot do what was asked of it: the same without that, for the rest of the turn. */
  | { readonly kind: 'without'; readonly what: 'tools' | 'thinking' }
  /** It only said what it would do. */
  | { readonly kind: 'nudge' };

/** What was asked, as far as the verdict depends on it. */
export interface Asked {
  /** Names of the tools in the request. */
  readonly tools: readonly string[];
  /** Whether the request asked for thinking. */
  readonly think: boolean;
  /** Whether the model may be told that it only announced something. */
  readonly mayNudge: boolean;
  /** Whether the message has an answer already, which this request was to continue. */
  readonly answered: boolean;
}

/** Judges what came of the requests of one step, which has a bounded number of tries for everything. */
export class Judge {
  #passing = 0;
  #faults = 0;
  #empty = 0;
  #halves = 0;
  #overflows = 0;

  verdict(answer: AnswerEnd, asked: Asked): Verdict {
    if (answer.kind === 'stopped') return { kind: 'stopped' };
    // Whatever became of the reminder: without it, the turn would have ended well.
    if (asked.answered && !answer.began) return { kind: 'end', how: { status: 'done' } };
    switch (answer.kind) {
      case 'failed':
        return this.#failed(answer.failure, answer.began, asked);
      case 'too_long':
        return { kind: 'end', how: { status: 'error', reason: 'too_long' } };
      case 'ended':
        return this.#ended(answer, asked);
    }
  }

  #failed(failure: ModelFailure, began: boolean, asked: Asked): Verdict {
    const { reason, detail } = failure;
    const end: Verdict = { kind: 'end', how: { status: 'error', reason, detail } };
    if (reason === 'model_fault') {
      this.#faults += 1;
      if (this.#faults <= FAULT_TRIES) return { kind: 'again', reason, detail, variant: {} };
      if (this.#faults === FAULT_TRIES + 1) return { kind: 'again', reason, detail, variant: { hint: VALID_JSON } };
      return end;
    }
    if (began) return end;
    if (reason === 'no_tools' && asked.tools.length > 0) return { kind: 'without', what: 'tools' };
    if (reason === 'no_thinking' && asked.think) return { kind: 'without', what: 'thinking' };
    if (reason === 'overflow') {
      this.#overflows += 1;
      return this.#overflows === 1 ? { kind: 'again', reason, detail, variant: {}, compact: 'always' } : end;
    }
    if (!isPassing(failure) || this.#passing === REQUEST_TRIES) return end;
    this.#passing += 1;
    return { kind: 'wait', attempt: this.#passing, reason, ms: retryDelay(this.#passing, failure) };
  }

  #ended(answer: Extract<AnswerEnd, { kind: 'ended' }>, asked: Asked): Verdict {
    const { text, thought, calls, cutByLength, usage } = answer;
    if (calls.length > 0) return { kind: 'calls' };
    const hasText = text.trim() !== '';
    if (!hasText) {
      // Servers drop what they have of a call that is not whole, and say only how many tokens it took.
      const lostCall = cutByLength && !thought && (usage.answerTokens ?? 0) > 0;
      return lostCall ? this.#half() : this.#nothing(cutByLength);
    }
    if (!cutByLength) {
      return asked.mayNudge && asked.tools.length > 0 && isAnnouncement(text)
        ? { kind: 'nudge' }
        : { kind: 'end', how: { status: 'done' } };
    }
    return isHalfCall(text, asked.tools) ? this.#half() : { kind: 'end', how: { status: 'done', reason: 'length' } };
  }

  #half(): Verdict {
    this.#halves += 1;
    return this.#halves === 1
      ? { kind: 'again', reason: 'length', variant: { hint: SMALLER_STEPS }, compact: 'if_over' }
      : { kind: 'end', how: { status: 'error', reason: 'length' } };
  }

  #nothing(cutByLength: boolean): Verdict {
    this.#empty += 1;
    const again = { kind: 'again', reason: 'empty', ...(cutByLength ? { compact: 'if_over' as const } : {}) } as const;
    if (this.#empty === 1) return { ...again, variant: {} };
    if (this.#empty === 2) return { ...again, variant: { hint: ANSWER_OR_CALL, withoutThinking: true } };
    return { kind: 'end', how: { status: 'error', reason: 'empty' } };
  }
}
