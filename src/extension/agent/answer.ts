import type { EndReason, MessageEnd, Usage } from '../../protocol/message';
import { messageAt } from '../../protocol/transcript';
import type { Part, ThinkingPart, ToolPart } from '../../protocol/part';
import type { Clock } from '../base/clock';
import { CALLS_PER_MESSAGE, PARTS_PER_MESSAGE } from '../base/limits';
import { assertNever } from '../base/assertNever';
import type { ModelEvent, ModelToolCall } from '../ollama/modelClient';
import type { Recorder } from './recorder';

/** A call of the answer, at its place in the message. */
export interface PlacedCall {
  readonly idx: number;
  readonly call: ModelToolCall;
}

/** How one request ended, with the calls to run. `stopped`: the signal aborted. */
export type AnswerEnd =
  | {
      readonly kind: 'ended';
      readonly cutByLength: boolean;
      readonly usage: Usage;
      readonly calls: readonly PlacedCall[];
    }
  | { readonly kind: 'failed'; readonly reason: EndReason; readonly detail: string }
  | { readonly kind: 'stopped' };

/** Folds the stream of one request into the message `seq`, which must be the newest one. */
export async function recordAnswer(
  events: AsyncIterable<ModelEvent>,
  seq: number,
  recorder: Recorder,
  clock: Clock,
  signal: AbortSignal,
): Promise<AnswerEnd> {
  const writing = new AnswerParts(seq, recorder, clock);
  for await (const event of events) {
    if (signal.aborted) break;
    switch (event.type) {
      case 'waiting':
        recorder.at({ kind: 'waiting', phase: event.phase });
        break;
      case 'thinking':
        writing.thinking(event.text);
        break;
      case 'text':
        writing.text(event.text);
        break;
      case 'tool_call':
        writing.call(event.call);
        break;
      case 'end':
        writing.endPart();
        return { kind: 'ended', cutByLength: event.reason === 'length', usage: event.usage, calls: writing.calls };
      case 'failed':
        writing.endPart();
        return { kind: 'failed', reason: event.failure.reason, detail: event.failure.detail };
      case 'aborted':
        writing.endPart();
        return { kind: 'stopped' };
      default:
        assertNever(event);
    }
  }
  writing.endPart();
  return { kind: 'stopped' };
}

/** The parts of one answer as they grow. */
class AnswerParts {
  readonly calls: PlacedCall[] = [];
  readonly #seq: number;
  readonly #recorder: Recorder;
  readonly #clock: Clock;

  constructor(seq: number, recorder: Recorder, clock: Clock) {
    this.#seq = seq;
    this.#recorder = recorder;
    this.#clock = clock;
  }

  thinking(text: string): void {
    this.#recorder.at({ kind: 'thinking' });
    this.#grow('thinking', { type: 'thinking', text: '', startedAt: this.#clock.now() }, text);
  }

  text(text: string): void {
    this.#recorder.at({ kind: 'writing' });
    this.#grow('text', { type: 'text', text: '' }, text);
  }

  call(call: ModelToolCall): void {
    this.endPart();
    const idx = this.#parts.length;
    const part: ToolPart = {
      type: 'tool',
      name: call.name,
      arguments: call.arguments,
      state: 'pending',
      ...(call.id === '' ? {} : { callId: call.id }),
    };
    if (this.calls.length < CALLS_PER_MESSAGE) {
      this.#recorder.record({ type: 'part_set', seq: this.#seq, idx, part });
      this.calls.push({ idx, call });
      return;
    }
    if (this.calls.length > CALLS_PER_MESSAGE || idx > CALLS_PER_MESSAGE * 2) return;
    const content = `Not run: an answer may hold ${CALLS_PER_MESSAGE} calls at most. Make the others in your next answer.`;
    const refused: ToolPart = { ...part, state: 'error', result: { content, summary: 'too many calls' } };
    this.#recorder.record({ type: 'part_set', seq: this.#seq, idx, part: refused });
  }

  /** Marks the end of thinking. Text needs no mark. */
  endPart(): void {
    const idx = this.#parts.length - 1;
    const last = this.#parts[idx];
    if (last?.type !== 'thinking' || last.endedAt !== undefined) return;
    const ended: ThinkingPart = { ...last, endedAt: this.#clock.now() };
    this.#recorder.record({ type: 'part_set', seq: this.#seq, idx, part: ended });
  }

  #grow(type: 'text' | 'thinking', empty: Part, text: string): void {
    let idx = this.#parts.length - 1;
    if (this.#parts[idx]?.type !== type) {
      this.endPart();
      const full = this.#parts.length >= PARTS_PER_MESSAGE;
      const before = full ? this.#parts.findLastIndex((part) => part.type === type) : -1;
      idx = before < 0 ? this.#parts.length : before;
      if (before < 0) this.#recorder.record({ type: 'part_set', seq: this.#seq, idx, part: empty });
    }
    const part = this.#parts[idx];
    if (part?.type !== 'text' && part?.type !== 'thinking') return;
    this.#recorder.record({ type: 'part_delta', seq: this.#seq, idx, at: part.text.length, text });
  }

  get #parts(): readonly Part[] {
    return messageAt(this.#recorder.transcript.messages, this.#seq)?.parts ?? [];
  }
}

/** The end of a message, with its time. */
export function messageEnd(clock: Clock, end: Omit<MessageEnd, 'endedAt'>): MessageEnd {
  return { ...end, endedAt: clock.now() };
}
