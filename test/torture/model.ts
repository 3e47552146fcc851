import type { ModelAbilities } from '../../src/protocol/status';
import type {
  ChatRequest,
  ModelClient,
  ModelClosing,
  ModelEvent,
  PullEvent,
  ServerDescription,
} from '../../src/extension/ollama/modelClient';
import { WellFormedPieces } from '../../src/extension/ollama/wellFormedPieces';
import { succeeded, type Result } from '../../src/extension/base/result';
import type { Random } from './random';
import { cutAnywhere, randomText } from './words';

export const MODELS = ['torture:1b', 'torture:7b', '拷問:latest'];

/** A turn has one answer after so many rounds of tools, so that it ends. */
const MOST_ROUNDS = 4;

/** A model in this process: answers at random, as awkwardly as a server may, and keeps the contract of its interface. */
export class TortureModel implements ModelClient {
  readonly #random: Random;
  /** No other model has it. */
  readonly #name: string;
  #calls = 0;

  constructor(random: Random, name: string) {
    this.#random = random;
    this.#name = name;
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    for await (const event of this.#answer(request, signal)) {
      if (signal.aborted) break;
      yield event;
    }
    if (signal.aborted) yield { type: 'aborted' };
    else yield this.#closing();
  }

  listModels(): Promise<Result<ServerDescription, never>> {
    return Promise.resolve(succeeded({ version: '0.0.0', models: MODELS.map((name) => ({ name })) }));
  }

  describe(): Promise<Result<ModelAbilities, never>> {
    return Promise.resolve(succeeded({ tools: true, thinking: true }));
  }

  listLoaded(): Promise<Result<readonly [], never>> {
    return Promise.resolve(succeeded([]));
  }

  async *pull(): AsyncIterable<PullEvent> {
    yield { type: 'done' };
  }

  load(): Promise<Result<undefined, never>> {
    return Promise.resolve(succeeded(undefined));
  }

  unload(): Promise<Result<undefined, never>> {
    return Promise.resolve(succeeded(undefined));
  }

  async *#answer(request: ChatRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const random = this.#random;
    // A model that is loaded first, or a queue before it.
    await sleep(random.chance(0.05) ? random.between(500, 4_000) : random.between(0, 60), signal);
    if (random.chance(0.03)) return;
    if (random.chance(0.45)) yield* this.#stream('thinking', random.between(20, 1_500), signal);
    if (random.chance(0.85)) yield* this.#stream('text', this.#length(), signal);
    const rounds = request.messages.slice(lastQuestion(request)).filter((message) => message.role === 'tool').length;
    if (rounds >= MOST_ROUNDS || !random.chance(0.7)) return;
    for (let calls = random.between(1, 3); calls > 0; calls -= 1) {
      const tool = random.pick(request.tools);
      if (tool === undefined) return;
      const call = {
        // Servers repeat ids.
        id: random.chance(0.3) ? 'call_0' : `call_${random.between(1, 1e6)}`,
        name: random.chance(0.05) ? 'no_such_tool' : tool.name,
      };
      const mark = `${this.#name}.${(this.#calls += 1)}`;
      const args = { mark, text: randomText(random, random.between(0, 200)), count: random.between(0, 9) };
      yield {
        type: 'tool_call',
        call: random.chance(0.05) ? { ...call, arguments: {}, malformed: '{"text": ' } : { ...call, arguments: args },
      };
      if (random.chance(0.2)) yield* this.#stream('text', random.between(1, 200), signal);
    }
  }

  #length(): number {
    return this.#random.chance(0.03) ? this.#random.between(20_000, 90_000) : this.#random.between(1, 4_000);
  }

  async *#stream(type: 'text' | 'thinking', length: number, signal: AbortSignal): AsyncIterable<ModelEvent> {
    const random = this.#random;
    const whole = new WellFormedPieces();
    const longest = length > 10_000 ? 3_000 : random.pick([3, 12, 60, 300])!;
    // About two seconds at most: the torture is of the file, not of patience.
    const pauses = 2_000 / Math.max(1, length / longest);
    for (const piece of cutAnywhere(random, randomText(random, length), longest)) {
      const text = whole.push(piece);
      if (text !== '') yield { type, text };
      if (pauses >= 4 || random.chance(pauses / 8)) await sleep(random.between(0, 24), signal);
      if (signal.aborted) return;
    }
    const rest = whole.flush();
    if (rest !== '') yield { type, text: rest };
  }

  #closing(): ModelClosing {
    const usage = { promptTokens: this.#random.between(1, 9_999), answerTokens: this.#random.between(1, 999) };
    switch (this.#random.weighted({ stop: 88, length: 4, cutOff: 4, error: 4 })) {
      case 'stop':
        return { type: 'end', reason: 'stop', usage };
      case 'length':
        return { type: 'end', reason: 'length', usage };
      case 'cutOff':
        return { type: 'failed', failure: { reason: 'cut_off', detail: 'the stream ended without an end' } };
      case 'error':
        return { type: 'failed', failure: { reason: 'server_error', detail: 'out of memory', status: 500 } };
    }
  }
}

function lastQuestion({ messages }: ChatRequest): number {
  return Math.max(
    0,
    messages.findLastIndex((message) => message.role === 'user'),
  );
}

/** Ends early when `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
