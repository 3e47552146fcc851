import type { EndReason, MessageEnd } from '../../protocol/message';
import { closedCall, type JsonObject, type ToolPart } from '../../protocol/part';
import { messageAt } from '../../protocol/transcript';
import type { Clock } from '../base/clock';
import { STEPS_PER_TURN } from '../base/limits';
import type { ModelClient, ThinkLevel, ToolDefinition } from '../ollama/modelClient';
import type { ToolOutcome } from '../tools/tool';
import { messageEnd, recordAnswer, type PlacedCall } from './answer';
import type { Recorder } from './recorder';
import { prepareRequest } from './request';

/** The tools of one turn. `execute` never throws and does not outlive the signal. */
export interface TurnTools {
  readonly definitions: readonly ToolDefinition[];
  execute(name: string, args: JsonObject, signal: AbortSignal): Promise<ToolOutcome>;
  /** The answer to a call whose arguments were no object. */
  malformed(name: string, written: string): ToolOutcome;
}

/** What one turn needs. The model stream, the clock, the recorder and the tools are arguments. */
export interface TurnInput {
  readonly recorder: Recorder;
  readonly client: ModelClient;
  readonly tools: TurnTools;
  readonly clock: Clock;
  readonly model: string;
  readonly systemPrompt: string;
  /** What the folder and the person have to say (AGENTS.md, memory, skills), framed as data; empty: nothing. */
  readonly background: string;
  /** Window in tokens; the same for every request of a model. */
  readonly contextLength: number;
  /** The window the model was trained with, in tokens, where the server says so. */
  readonly trainedContext?: number;
  /** Whether the model sees images. */
  readonly vision: boolean;
  readonly keepAlive?: string;
  readonly think?: boolean | ThinkLevel;
}

/** Why a turn is aborted: the reason of its signal. */
export type AbortReason = Extract<EndReason, 'stop' | 'crash' | 'takeover'>;

/**
 * One turn: asks the model, runs what it calls, and asks again with the results, until it answers without a call.
 * Everything that happens is recorded; the promise resolves when the turn has ended, however it did, and never rejects
 * for anything that a model, a server or a tool does. The signal's reason is an {@link AbortReason}.
 */
export async function runTurn(input: TurnInput, signal: AbortSignal): Promise<void> {
  const { recorder, clock } = input;
  for (let step = 1; step <= STEPS_PER_TURN; step += 1) {
    const { request } = prepareRequest(input);
    const seq = startMessage(input);
    const end = (how: Omit<MessageEnd, 'endedAt'>): void =>
      recorder.record({ type: 'message_ended', seq, end: messageEnd(clock, how) });
    const stopped = (): void => {
      closeCalls(recorder, seq, clock);
      end({ status: 'aborted', reason: abortReason(signal) });
    };
    recorder.at({ kind: 'waiting' });
    await recorder.gate();
    if (signal.aborted) return stopped();
    const answer = await recordAnswer(input.client.chat(request, signal), seq, recorder, clock, signal);
    if (answer.kind === 'stopped') return stopped();
    if (answer.kind === 'failed') {
      closeCalls(recorder, seq, clock);
      return end({ status: 'error', reason: answer.reason, detail: answer.detail });
    }
    if (answer.calls.length === 0) {
      const empty = (messageAt(recorder.transcript.messages, seq)?.parts ?? []).every((part) => part.type !== 'text');
      if (answer.cutByLength) return end({ status: 'done', reason: 'length', usage: answer.usage });
      return end({ ...(empty ? { status: 'error', reason: 'empty' } : { status: 'done' }), usage: answer.usage });
    }
    recorder.at({ kind: 'tools' });
    for (const placed of answer.calls) {
      await runCall(input, seq, placed, signal);
      if (signal.aborted) return stopped();
    }
    end({ status: 'done', usage: answer.usage });
  }
  const seq = startMessage(input);
  recorder.record({
    type: 'message_ended',
    seq,
    end: messageEnd(clock, { status: 'aborted', reason: 'step_limit', detail: String(STEPS_PER_TURN) }),
  });
}

function startMessage(input: TurnInput): number {
  const { recorder, clock, model } = input;
  const seq = (recorder.transcript.messages.at(-1)?.seq ?? 0) + 1;
  recorder.record({
    type: 'message_added',
    message: { seq, role: 'assistant', status: 'streaming', model, createdAt: clock.now(), parts: [] },
  });
  return seq;
}

/** Written before it runs and after it; a call that was stopped has an unknown result. */
async function runCall(input: TurnInput, seq: number, placed: PlacedCall, signal: AbortSignal): Promise<void> {
  const { recorder, clock, tools } = input;
  const { idx, call } = placed;
  const part = messageAt(recorder.transcript.messages, seq)?.parts[idx];
  if (part?.type !== 'tool') return;
  const running: ToolPart = { ...part, state: 'running', startedAt: clock.now() };
  recorder.record({ type: 'part_set', seq, idx, part: running });
  await recorder.gate();
  if (signal.aborted) return;
  const outcome =
    call.malformed === undefined
      ? await tools.execute(call.name, call.arguments, signal)
      : tools.malformed(call.name, call.malformed);
  if (signal.aborted) return;
  const { content, summary } = outcome;
  recorder.record({
    type: 'part_set',
    seq,
    idx,
    part: { ...running, state: outcome.ok ? 'done' : 'error', endedAt: clock.now(), result: { content, summary } },
  });
}

/** Closes the calls of a message whose turn ends without them. */
export function closeCalls(recorder: Pick<Recorder, 'transcript' | 'record'>, seq: number, clock: Clock): void {
  for (const [idx, part] of (messageAt(recorder.transcript.messages, seq)?.parts ?? []).entries()) {
    if (part.type !== 'tool') continue;
    const closed = closedCall(part, clock.now());
    if (closed !== part) recorder.record({ type: 'part_set', seq, idx, part: closed });
  }
}

function abortReason(signal: AbortSignal): AbortReason {
  const reason: unknown = signal.reason;
  return reason === 'crash' || reason === 'takeover' ? reason : 'stop';
}
