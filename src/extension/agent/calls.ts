import { closedCall, type ToolPart } from '../../protocol/part';
import { messageAt } from '../../protocol/transcript';
import type { Clock } from '../base/clock';
import { CALLS_AT_ONCE, FAILED_CALLS } from '../base/limits';
import type { ToolOutcome } from '../tools/tool';
import type { PlacedCall } from './answer';
import { NOT_REPEATED, repeatWarning } from './hints';
import type { Recorder } from './recorder';
import { Repeats, signatureOf, type Repeat } from './repeats';
import type { TurnInput } from './turn';

/** What running calls needs. */
export type CallInput = Pick<TurnInput, 'recorder' | 'clock' | 'tools'>;

/** Whether a turn may go on after calls: not when it goes round in circles, nor when its calls fail again and again. */
export type CallsEnd = 'ran' | 'stopped' | 'repeated_calls' | 'tool_errors';

/** Runs the calls of a turn, answer by answer, and keeps count of what went wrong. */
export class CallRunner {
  readonly #input: CallInput;
  readonly #repeats = new Repeats();
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
    const outcomes: (ToolOutcome | undefined)[] = [];
    for (const batch of batchesOf(circle < 0 ? calls : calls.slice(0, circle))) {
      outcomes.push(...(await atMost(CALLS_AT_ONCE, batch, (call) => this.#run(call, signal))));
      if (signal.aborted) return 'stopped';
    }
    if (circle >= 0) {
      for (const call of calls.slice(circle)) this.#refuse(call);
      return 'repeated_calls';
    }
    return this.#isFailing(outcomes) ? 'tool_errors' : 'ran';
  }

  #known(seq: number, { idx, call }: PlacedCall): KnownCall {
    const { tools } = this.#input;
    const signature = signatureOf(call.name, call.malformed === undefined ? call.arguments : { '': call.malformed });
    const readOnly = tools.isReadOnly?.(call.name) ?? false;
    return { seq, idx, call, signature, readOnly, repeat: this.#repeats.made(signature) };
  }

  /** Written before it runs and after it; a call that was stopped has an unknown result. */
  async #run(known: KnownCall, signal: AbortSignal): Promise<ToolOutcome | undefined> {
    const { recorder, clock } = this.#input;
    const part = this.#part(known);
    if (part === undefined || signal.aborted) return undefined;
    const running: ToolPart = { ...part, state: 'running', startedAt: clock.now() };
    this.#set(known, running);
    await recorder.gate();
    if (signal.aborted) return undefined;
    const outcome = await this.#outcome(known, signal);
    if (signal.aborted) return undefined;
    const { summary } = outcome;
    const { repeat } = known;
    const content = repeat.kind === 'warned' ? `${outcome.content}\n\n${repeatWarning(repeat.times)}` : outcome.content;
    const state = outcome.ok ? 'done' : 'error';
    this.#set(known, { ...running, state, endedAt: clock.now(), result: { content, summary } });
    return outcome;
  }

  async #outcome({ call, signature, readOnly, repeat }: KnownCall, signal: AbortSignal): Promise<ToolOutcome> {
    const { tools } = this.#input;
    if (call.malformed !== undefined) return tools.malformed(call.name, call.malformed);
    const known = readOnly && repeat.kind === 'warned' ? this.#repeats.answerTo(signature) : undefined;
    if (known !== undefined) return known;
    // What it does may have begun even when it fails.
    if (!readOnly) this.#repeats.changed();
    const planned = await tools.plan(call.name, call.arguments, signal);
    const outcome =
      planned.kind === 'answered' ? planned.outcome : await planned.run({ signal, output: () => undefined });
    if (readOnly) this.#repeats.answered(signature, outcome);
    return outcome;
  }

  #isFailing(outcomes: readonly (ToolOutcome | undefined)[]): boolean {
    let wentWell = false;
    for (const outcome of outcomes) {
      if (outcome === undefined) continue;
      this.#failed = outcome.ok ? 0 : this.#failed + 1;
      wentWell ||= outcome.ok;
    }
    if (wentWell) this.#failedAnswers = 0;
    if (this.#failed > 0) this.#failedAnswers += 1;
    // The model must have seen that its calls fail.
    return this.#failed >= FAILED_CALLS && this.#failedAnswers > 1;
  }

  #refuse(call: KnownCall): void {
    const part = this.#part(call);
    const result = { content: NOT_REPEATED, summary: 'repeated' };
    if (part !== undefined) this.#set(call, { ...part, state: 'error', result });
  }

  #part({ seq, idx }: CallPlace): ToolPart | undefined {
    const part = messageAt(this.#input.recorder.transcript.messages, seq)?.parts[idx];
    return part?.type === 'tool' ? part : undefined;
  }

  #set({ seq, idx }: CallPlace, part: ToolPart): void {
    this.#input.recorder.record({ type: 'part_set', seq, idx, part });
  }
}

interface CallPlace {
  readonly seq: number;
  readonly idx: number;
}

interface KnownCall extends CallPlace, PlacedCall {
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

/** Closes the calls of a message whose turn ends without them. */
export function closeCalls(recorder: Pick<Recorder, 'transcript' | 'record'>, seq: number, clock: Clock): void {
  for (const [idx, part] of (messageAt(recorder.transcript.messages, seq)?.parts ?? []).entries()) {
    if (part.type !== 'tool') continue;
    const closed = closedCall(part, clock.now());
    if (closed !== part) recorder.record({ type: 'part_set', seq, idx, part: closed });
  }
}
