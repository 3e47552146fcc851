import type { Usage } from '../../protocol/message';
import { amountIn, isJsonObject, stringIn } from './json';
import type { ModelEvent } from './modelClient';
import type { JsonObject } from '../../protocol/part';
import { ThinkTag } from './thinkTag';
import { readToolCalls } from './toolCall';
import { WellFormedPieces } from './wellFormedPieces';

const NANOSECONDS_PER_MS = 1_000_000;

/** Reads the records of one chat reply, in order. Which keys stand in which record differs between models. */
export class ReplyReader {
  readonly #text = new WellFormedPieces();
  readonly #thinking = new WellFormedPieces();
  #tag = new ThinkTag();
  #last: JsonObject = {};

  /** What a record adds, in the order thinking, text, calls. */
  *read(record: JsonObject): Generator<ModelEvent> {
    this.#last = record;
    const message = isJsonObject(record['message']) ? record['message'] : {};
    const thinking = this.#thinking.push(stringIn(message['thinking']) ?? '');
    if (thinking !== '') yield { type: 'thinking', text: thinking };
    yield* this.#tag.push(this.#text.push(stringIn(message['content']) ?? ''));
    const calls = readToolCalls(message['tool_calls']);
    if (calls.length === 0) return;
    // What follows a call begins anew, also with thinking.
    yield* this.#tag.flush();
    this.#tag = new ThinkTag();
    for (const call of calls) yield { type: 'tool_call', call };
  }

  /** What was held back at the borders, when nothing follows. */
  *rest(): Generator<ModelEvent> {
    const thinking = this.#thinking.flush();
    if (thinking !== '') yield { type: 'thinking', text: thinking };
    yield* this.#tag.push(this.#text.flush());
    yield* this.#tag.flush();
  }

  /**
   * How the reply ended, by its last record; undefined when that is not an end. Some backends give a reason without
   * saying that they are done, some are done without a reason.
   */
  end(): Extract<ModelEvent, { type: 'end' }> | undefined {
    const reason = stringIn(this.#last['done_reason']) ?? '';
    if (this.#last['done'] !== true && reason === '') return undefined;
    return { type: 'end', reason: reason === 'length' ? 'length' : 'stop', usage: readUsage(this.#last) };
  }
}

function readUsage(record: JsonObject): Usage {
  const promptTokens = amountIn(record['prompt_eval_count']);
  const answerTokens = amountIn(record['eval_count']);
  const answerNanoseconds = amountIn(record['eval_duration']);
  return {
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(answerTokens === undefined ? {} : { answerTokens }),
    ...(answerNanoseconds === undefined ? {} : { answerMs: Math.round(answerNanoseconds / NANOSECONDS_PER_MS) }),
  };
}
