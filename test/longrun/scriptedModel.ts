import type { ChatRequest } from '../support/ollama/chatRequest';
import { callTool, callTools, cutOff, done, failWith, framed, resetConnection } from '../support/ollama/chatStep';
import type { ChatScript, ChatStep, ToolCall } from '../support/ollama/chatStep';
import type { Framing } from '../support/ollama/framing';
import type { Random } from '../torture/random';
import { randomText } from '../torture/words';
import type { ServerMoment } from './lines';
import { writtenCall, type Act, type Break } from './plan';

/** Share of the summaries that come to nothing. */
const SUMMARY_FAULT_SHARE = 0.2;
const FRAMINGS: readonly Framing[] = [
  { split: 'record' },
  { split: 'record' },
  { split: { bytes: 7 } },
  { split: { records: 3 } },
  { lineEnd: '\r\n', finalNewline: false },
];

/** How often the model did what. */
export type Deeds = Readonly<Record<string, number>>;

/** A model that does in each turn what it was told to do, and summarises when it is asked to. */
export class ScriptedModel {
  readonly #random: Random;
  /** Called when a moment has come. It may kill the window meanwhile. */
  readonly #reached: (moment: ServerMoment) => Promise<void>;
  readonly #deeds: Record<string, number> = {};
  #acts: Act[] = [];
  #answers = 0;
  #said: string[] = [];

  constructor(random: Random, reached: (moment: ServerMoment) => Promise<void>) {
    this.#random = random;
    this.#reached = reached;
  }

  get deeds(): Deeds {
    return this.#deeds;
  }

  /** What the model does next, request by request; after that it says something. */
  plan(acts: readonly Act[]): void {
    this.#acts = [...acts];
  }

  /** The texts of whole answers since the last time. */
  takeSaid(): readonly string[] {
    const said = this.#said;
    this.#said = [];
    return said;
  }

  readonly answer = (request: ChatRequest): ChatScript => {
    if (isSummaryRequest(request)) return this.#summary();
    // Whoever offers no tools wants words.
    const hasTools = (request.tools?.length ?? 0) > 0;
    return this.#perform(hasTools ? (this.#acts.shift() ?? { kind: 'say' }) : { kind: 'say' });
  };

  async *#perform(act: Act): AsyncGenerator<ChatStep> {
    this.#count(act.kind);
    await this.#reached('waiting');
    if (act.kind === 'refuse') {
      yield failWith(act.error, { status: act.status });
      return;
    }
    yield framed(this.#random.pick(FRAMINGS) ?? {});
    switch (act.kind) {
      case 'calls':
        yield* this.#call(act.calls, act.where, act.apart);
        return;
      case 'say':
        yield* this.#say();
        return;
      case 'text_call':
        yield* this.#think();
        yield* this.#pieces('content', writtenCall(act.call, act.form));
        return;
      case 'nothing':
        yield done({ eval_count: 4 });
        return;
      case 'only_thinking':
        yield* this.#think(true);
        return;
      case 'leaked_thinking':
        yield* this.#pieces('content', act.open ? '<think>Without end' : '<think>Within tags.</think>');
        if (!act.open) yield* this.#say();
        return;
      case 'cut':
        yield* this.#breakOff(act.at);
        if (act.how === 'error') yield failWith('an error was encountered while running the model: unexpected EOF');
        else yield act.how === 'reset' ? resetConnection() : cutOff();
        return;
      case 'length':
        yield* this.#breakOff(act.at === 'call' ? 'start' : 'text');
        yield done({ done_reason: 'length', eval_count: 30 });
        return;
    }
  }

  async *#call(calls: readonly ToolCall[], where: 'record' | 'done', apart: boolean): AsyncGenerator<ChatStep> {
    yield* this.#think();
    if (this.#random.chance(0.3)) yield* this.#pieces('content', 'I will look. 🏷 ');
    if (apart) for (const { name, arguments: args, ...id } of calls) yield callTool(name, args, { where, ...id });
    else yield callTools(calls, where);
    // So that the client has it, and now and then the file, too.
    yield { wait: this.#random.between(0, 60) };
    await this.#reached('after_call');
  }

  async *#say(): AsyncGenerator<ChatStep> {
    yield* this.#think();
    this.#answers += 1;
    const text = `Answer ${this.#answers}: ${randomText(this.#random, this.#random.between(20, 700))}`.trim();
    yield* this.#pieces('content', text);
    yield done();
    this.#said.push(text);
  }

  async *#think(always = false): AsyncGenerator<ChatStep> {
    if (!always && !this.#random.chance(0.5)) return;
    yield* this.#pieces('thinking', `Hm. ${randomText(this.#random, this.#random.between(10, 200))}`);
  }

  /** Everything before the break. */
  async *#breakOff(at: Break): AsyncGenerator<ChatStep> {
    if (at === 'start') return;
    yield* this.#think();
    yield* this.#pieces('content', 'This is the beginning of ');
    if (at === 'call') yield callTool('list_files', { path: '.' });
  }

  async *#pieces(key: 'content' | 'thinking', text: string): AsyncGenerator<ChatStep> {
    for (const [at, piece] of piecesOf(this.#random, text).entries()) {
      yield key === 'content' ? { content: piece } : { thinking: piece };
      if (at !== 2) continue;
      yield { wait: this.#random.between(0, 60) };
      await this.#reached(key === 'content' ? 'writing' : 'thinking');
    }
  }

  async *#summary(): AsyncGenerator<ChatStep> {
    this.#count('summary');
    await this.#reached('summary');
    if (this.#random.chance(SUMMARY_FAULT_SHARE)) {
      this.#count('failed summary');
      yield this.#random.chance(0.5) ? done({ eval_count: 3 }) : { content: 'The person ' };
      yield cutOff();
      return;
    }
    yield { content: `Summary ${this.#deeds['summary']}: the person asked for files, ` };
    yield { content: 'and they were read. 🏷' };
  }

  #count(deed: string): void {
    this.#deeds[deed] = (this.#deeds[deed] ?? 0) + 1;
  }
}

/** A summary is asked for without tools, by the instructions. */
export function isSummaryRequest(request: ChatRequest): boolean {
  if ((request.tools?.length ?? 0) > 0) return false;
  return request.messages.some(({ role, content }) => role === 'system' && /summar/i.test(content));
}

/** Whole characters: what the server tells one token at a time. */
function piecesOf(random: Random, text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let wanted = random.between(1, 40);
  for (const character of text) {
    piece += character;
    if (piece.length < wanted) continue;
    pieces.push(piece);
    piece = '';
    wanted = random.between(1, 40);
  }
  return piece === '' ? pieces : [...pieces, piece];
}
