import { closedCall, type ToolPart } from '../../protocol/part';
import { messageAt, type Transcript } from '../../protocol/transcript';
import type { Clock } from '../base/clock';
import { CALLS_AT_ONCE, FAILED_CALLS } from '../base/limits';
import { SerialQueue } from '../base/serialQueue';
import { refused } from '../tools/tool';
import type { PlacedCall } from './answer';
import { NOT_REPEATED, repeatWarning } from './hints';
import type { PartPlace, Recorder } from './recorder';
import { Repeats, signatureOf, type Repeat } from './repeats';
import { ToolCall, type CallEnd, type CallInput } from './toolCall';

/** Whether a turn may go on after calls: not when it goes round in circles, nor when its calls fail again and again. */
export type CallsEnd = 'ran' | 'stopped' | 'repeated_calls' | 'tool_errors';

/** Runs the calls of a turn, answer by answer, and keeps count of what went wrong. */
export class CallRunner {
  readonly #input: CallInput;
  readonly #repeats = new Repeats();
  /** The person is asked one thing at a time, also when calls run side by side. */
  readonly #asking = new SerialQueue();
  #failed = 0;
  /** Answers of the model with failed calls since the last one that went well. */
  #failedAnswers = 0;

  constructor(input: CallInput) {
    this.#input = input;
  }

  /** Runs the calls of message `seq`. Those that only read run side by side, the others one by one in their order. */
  async run(seq: number, placed: readonly PlacedCall[], signal: AbortSignal): Promise<CallsEnd> {
    const calls = placed.map((each) => this.#known(seq, each));
    const circle = calls.findIndex((call) => call.repeat.kind === 'refused');
    const ends: CallEnd[] = [];
    for (const batch of batchesOf(circle < 0 ? calls : calls.slice(0, circle))) {
      ends.push(...(await atMost(CALLS_AT_ONCE, batch, (call) => this.#run(call, signal))));
      if (signal.aborted) return 'stopped';
    }
    if (circle >= 0) {
      for (const known of calls.slice(circle)) this.#toolCall(known).answer(refused(NOT_REPEATED, 'repeated'));
      return 'repeated_calls';
    }
    return this.#isFailing(ends) ? 'tool_errors' : 'ran';
  }

  #known(seq: number, { idx, call }: PlacedCall): KnownCall {
    const { tools } = this.#input;
    const signature = signatureOf(call.name, call.malformed === undefined ? call.arguments : { '': call.malformed });
    const readOnly = tools.isReadOnly?.(call.name) ?? false;
    return { seq, idx, call, signature, readOnly, repeat: this.#repeats.made(signature) };
  }

  #toolCall({ seq, idx, repeat }: KnownCall): ToolCall {
    const warning = repeat.kind === 'warned' ? `\n\n${repeatWarning(repeat.times)}` : '';
    return new ToolCall(this.#input, { seq, idx }, this.#asking, warning);
  }

  async #run(known: KnownCall, signal: AbortSignal): Promise<CallEnd> {
    const { call, signature, readOnly, repeat } = known;
    const toolCall = this.#toolCall(known);
    if (signal.aborted) return { kind: 'stopped' };
    if (call.malformed !== undefined) return toolCall.answer(this.#input.tools.malformed(call.name, call.malformed));
    const before = readOnly && repeat.kind === 'warned' ? this.#repeats.answerTo(signature) : undefined;
    if (before !== undefined) return toolCall.answer(before);
    let changes = false;
    const end = await toolCall.run(call, signal, (effects) => {
      changes = effects;
      // What it does may have begun even when it fails.
      if (!readOnly) this.#repeats.changed();
    });
    if (end.kind !== 'answered') return end;
    if (readOnly) this.#repeats.answered(signature, end.outcome);
    // A command that is run again and again prints other times each time: that is no progress.
    if (!changes) this.#repeats.told(signature, end.outcome);
    return end;
  }

  /** What the person denied is no failure. */
  #isFailing(ends: readonly CallEnd[]): boolean {
    const outcomes = ends.flatMap((end) => (end.kind === 'answered' ? [end.outcome] : []));
    if (outcomes.length === 0) return false;
    for (const outcome of outcomes) this.#failed = outcome.ok ? 0 : this.#failed + 1;
    if (outcomes.some((outcome) => outcome.ok)) this.#failedAnswers = 0;
    if (this.#failed > 0) this.#failedAnswers += 1;
    // The model must have seen that its calls fail.
    return this.#failed >= FAILED_CALLS && this.#failedAnswers > 1;
  }
}

interface KnownCall extends PartPlace, PlacedCall {
  readonly signature: string;
  readonly readOnly: boolean;
  readonly repeat: Repeat;
}

/** Neighbours that only read, together; each other call alone. */
function batchesOf(calls: readonly KnownCall[]): readonly (readonly KnownCall[])[] {
  const batches: KnownCall[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (call.readOnly && last?.at(-1)?.readOnly === true) last.push(call);
    else batches.push([call]);
  }
  return batches;
}

/** Runs `one` for each item, for so many at once, and answers in the order of the items. */
async function atMost<Item, Answer>(
  limit: number,
  items: readonly Item[],
  one: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const left = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, item] = next;
      answers[index] = await one(item);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return answers;
}

/** The calls of a message that were not made, in their order. */
export function openCalls({ transcript }: Pick<Recorder, 'transcript'>, seq: number): readonly PlacedCall[] {
  return partsWithCalls(transcript, seq).flatMap(([idx, { state, callId = '', name, arguments: args }]) =>
    state === 'pending' || state === 'awaiting_approval' ? [{ idx, call: { id: callId, name, arguments: args } }] : [],
  );
}

/** Closes the calls of a message whose turn ends without them. */
export function closeCalls(recorder: CallRecorder, seq: number, clock: Clock): void {
  close(recorder, seq, clock, () => true);
}

/** Closes the calls of a message that had begun. Those that wait for leave go on waiting, and the ones behind them. */
export function closeBegunCalls(recorder: CallRecorder, seq: number, clock: Clock): void {
  close(recorder, seq, clock, ({ state }) => state === 'running');
}

/** Whether a call of the message waits for the person's leave. */
export function waitsForLeave(transcript: Transcript, seq: number): boolean {
  return partsWithCalls(transcript, seq).some(([, { state }]) => state === 'awaiting_approval');
}

type CallRecorder = Pick<Recorder, 'transcript' | 'record'>;

function close(recorder: CallRecorder, seq: number, clock: Clock, isMeant: (part: ToolPart) => boolean): void {
  for (const [idx, part] of partsWithCalls(recorder.transcript, seq)) {
    const closed = isMeant(part) ? closedCall(part, clock.now()) : part;
    if (closed !== part) recorder.record({ type: 'part_set', seq, idx, part: closed });
  }
}

function partsWithCalls({ messages }: Transcript, seq: number): readonly (readonly [number, ToolPart])[] {
  const parts = messageAt(messages, seq)?.parts ?? [];
  return [...parts.entries()].flatMap(([idx, part]) => (part.type === 'tool' ? [[idx, part] as const] : []));
}
