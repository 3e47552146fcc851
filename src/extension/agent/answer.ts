import type { Usage } from '../../protocol/message';
import { messageAt } from '../../protocol/transcript';
import type { Part, ThinkingPart, ToolPart } from '../../protocol/part';
import type { Clock } from '../base/clock';
import { ANSWER_CHARS, CALLS_PER_MESSAGE, PARTS_PER_MESSAGE } from '../base/limits';
import { assertNever } from '../base/assertNever';
import { cutAt } from '../base/text';
import type { ModelEvent, ModelFailure, ModelToolCall } from '../ollama/modelClient';
import type { Recorder } from './recorder';
import { readTextCalls } from './textCalls';

/** A call of the answer, at its place in the message. Its name and arguments are as they are meant. */
export interface PlacedCall {
  readonly idx: number;
  readonly call: ModelToolCall;
}

/** Where an answer goes. */
export interface AnswerPlace {
  /** The newest message. Parts that it has already stay as they are. */
  readonly seq: number;
  readonly recorder: Recorder;
  readonly clock: Clock;
  /** A call as it is meant: the tool's own name, arguments as it takes them. */
  repair(call: ModelToolCall): ModelToolCall;
  /** Whether there is such a tool in the request, so that a call to it may also come as text. */
  offers(name: string): boolean;
}

/** What came of one request, however it ended. */
interface Brought {
  /** Whether anything of the answer came, so that asking again would say it twice. */
  readonly began: boolean;
  /** The text of this answer alone. */
  readonly text: string;
  readonly thought: boolean;
  readonly calls: readonly PlacedCall[];
}

/** How one request ended. `stopped`: the signal aborted. `too_long`: it was closed at `ANSWER_CHARS`. */
export type AnswerEnd = Brought &
  (
    | { readonly kind: 'ended'; readonly cutByLength: boolean; readonly usage: Usage }
    | { readonly kind: 'failed'; readonly failure: ModelFailure }
    | { readonly kind: 'too_long' }
    | { readonly kind: 'stopped' }
  );

/** Folds the stream of one request into its message. */
export async function recordAnswer(
  events: AsyncIterable<ModelEvent>,
  place: AnswerPlace,
  signal: AbortSignal,
): Promise<AnswerEnd> {
  const writing = new AnswerParts(place);
  for await (const event of events) {
    if (signal.aborted) break;
    switch (event.type) {
      case 'waiting':
        place.recorder.at({ kind: 'waiting', phase: event.phase });
        break;
      case 'thinking':
      case 'text':
        if (!writing.words(event.type, event.text)) return { ...writing.brought(), kind: 'too_long' };
        break;
      case 'text_was_thinking':
        writing.textWasThinking();
        break;
      case 'tool_call':
        writing.call(event.call);
        break;
      case 'end': {
        writing.takeTextCalls();
        const brought = writing.brought();
        return { ...brought, kind: 'ended', cutByLength: event.reason === 'length', usage: event.usage };
      }
      case 'failed':
        return { ...writing.brought(), kind: 'failed', failure: event.failure };
      case 'aborted':
        return { ...writing.brought(), kind: 'stopped' };
      default:
        assertNever(event);
    }
  }
  return { ...writing.brought(), kind: 'stopped' };
}

/** The parts of one answer as they grow. */
class AnswerParts {
  readonly #calls: PlacedCall[] = [];
  readonly #place: AnswerPlace;
  /** The first part of this answer. */
  readonly #from: number;
  /** The first part since the last call. */
  #stretch: number;
  #stretchAt: number;
  #chars = 0;
  #began = false;

  constructor(place: AnswerPlace) {
    this.#place = place;
    this.#from = this.#parts.length;
    this.#stretch = this.#from;
    this.#stretchAt = place.clock.now();
  }

  /** False when the answer is too long for them: as much as it may hold is there. */
  words(type: 'text' | 'thinking', text: string): boolean {
    this.#began = true;
    const { recorder, clock } = this.#place;
    recorder.at({ kind: type === 'text' ? 'writing' : 'thinking' });
    const taken = cutAt(text, ANSWER_CHARS - this.#chars);
    this.#chars += taken.length;
    const empty: Part = type === 'text' ? { type, text: '' } : { type, text: '', startedAt: clock.now() };
    if (taken !== '') this.#grow(empty, taken);
    return taken === text;
  }

  /** What was shown as text since the last call becomes thinking, in its place. */
  textWasThinking(): void {
    const endedAt = this.#place.clock.now();
    for (const [idx, part] of this.#parts.entries()) {
      if (idx < this.#stretch || part.type !== 'text') continue;
      this.#set(idx, { type: 'thinking', text: part.text, startedAt: this.#stretchAt, endedAt });
    }
  }

  call(call: ModelToolCall): void {
    this.#began = true;
    this.#endThinking();
    this.#placeCall(call, this.#parts.length);
    this.#stretch = this.#parts.length;
    this.#stretchAt = this.#place.clock.now();
  }

  /** What there is, now that nothing follows. */
  brought(): Brought {
    this.#endThinking();
    const own = this.#parts.slice(this.#from);
    return {
      began: this.#began,
      text: own.map((part) => (part.type === 'text' ? part.text : '')).join(''),
      thought: own.some((part) => part.type === 'thinking'),
      calls: this.#calls,
    };
  }

  /** When the whole text is calls, and there are no others, they take its place. */
  takeTextCalls(): void {
    if (this.#calls.length > 0) return;
    const texts = [...this.#parts.entries()].filter(([idx, part]) => idx >= this.#from && part.type === 'text');
    const [idx, part] = texts[0] ?? [];
    if (idx === undefined || part?.type !== 'text' || texts.length > 1) return;
    const calls = readTextCalls(part.text, (name) => this.#place.offers(name));
    for (const [index, call] of calls.entries()) this.#placeCall(call, index === 0 ? idx : this.#parts.length);
  }

  #placeCall(written: ModelToolCall, idx: number): void {
    const call = this.#place.repair(written);
    const part: ToolPart = {
      type: 'tool',
      name: call.name,
      arguments: call.arguments,
      state: 'pending',
      ...(call.id === '' ? {} : { callId: call.id }),
    };
    if (this.#calls.length < CALLS_PER_MESSAGE && idx < PARTS_PER_MESSAGE) {
      this.#set(idx, part);
      this.#calls.push({ idx, call });
      return;
    }
    if (idx > PARTS_PER_MESSAGE) return;
    const content = `Not run: an answer may hold ${CALLS_PER_MESSAGE} calls and ${PARTS_PER_MESSAGE} parts at most. Make the others in your next answer.`;
    this.#set(idx, { ...part, state: 'error', result: { content, summary: 'too many calls' } });
  }

  /** Marks the end of thinking. Text needs no mark. */
  #endThinking(): void {
    const idx = this.#parts.length - 1;
    const last = this.#parts[idx];
    if (idx < this.#from || last?.type !== 'thinking' || last.endedAt !== undefined) return;
    const ended: ThinkingPart = { ...last, endedAt: this.#place.clock.now() };
    this.#set(idx, ended);
  }

  #grow(empty: Part, text: string): void {
    const { type } = empty;
    let idx = this.#parts.length - 1;
    const last = this.#parts[idx];
    if (idx < this.#from || last?.type !== type || (last.type === 'thinking' && last.endedAt !== undefined)) {
      this.#endThinking();
      const full = this.#parts.length >= PARTS_PER_MESSAGE;
      const before = full ? this.#parts.findLastIndex((part) => part.type === type) : -1;
      idx = before < this.#from ? this.#parts.length : before;
      if (idx === this.#parts.length) this.#set(idx, empty);
    }
    const part = this.#parts[idx];
    if (part?.type !== 'text' && part?.type !== 'thinking') return;
    this.#place.recorder.record({ type: 'part_delta', seq: this.#place.seq, idx, at: part.text.length, text });
  }

  #set(idx: number, part: Part): void {
    this.#place.recorder.record({ type: 'part_set', seq: this.#place.seq, idx, part });
  }

  get #parts(): readonly Part[] {
    return messageAt(this.#place.recorder.transcript.messages, this.#place.seq)?.parts ?? [];
  }
}
