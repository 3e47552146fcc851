import type { EndReason } from '../../protocol/message';
import type { JsonObject } from '../../protocol/part';
import type { Clock } from '../base/clock';
import { STEPS_PER_TURN } from '../base/limits';
import type { ModelClient, ThinkLevel, ToolDefinition } from '../ollama/modelClient';
import type { Planned, ToolOutcome } from '../tools/tool';
import { CallRunner, openCalls } from './calls';
import { compact, isOverThreshold } from './compaction';
import { SAY_WHAT_IS_MISSING, STOP_REPEATING, SUM_UP } from './hints';
import type { Leave } from './leave';
import type { Recorder } from './recorder';
import { OpenMessage } from './openMessage';
import { runStep, type LastWord, type OpenStep, type TurnFacts } from './step';

/** The tools of one turn. Neither `plan` nor what it answers throws or outlives its signal. */
export interface TurnTools {
  readonly definitions: readonly ToolDefinition[];
  /** What a call would do, with nothing done yet. */
  plan(name: string, args: JsonObject, signal: AbortSignal): Promise<Planned>;
  /** The answer to a call whose arguments were no object. */
  malformed(name: string, written: string): ToolOutcome;
  /** A call as it is meant: the tool's own name, arguments as it takes them. Absent: as the model made it. */
  repair?(name: string, args: JsonObject): { readonly name: string; readonly arguments: JsonObject };
  /** Whether a call leaves everything as it is, so that others may run beside it. Absent: none does. */
  isReadOnly?(name: string): boolean;
}

/** What one turn needs. The model stream, the clock, the recorder and the tools are arguments. */
export interface TurnInput {
  readonly recorder: Recorder;
  readonly client: ModelClient;
  readonly tools: TurnTools;
  /** Who gives leave to calls with effects. */
  readonly leave: Leave;
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
 * One turn: asks the model, runs what it calls, and asks again with the results, until it answers without a call or
 * comes to a limit; then it is asked for a last answer in words. Everything that happens is recorded; the promise
 * resolves when the turn has ended, however it did, and never rejects for anything that a model, a server or a tool
 * does. The signal's reason is an {@link AbortReason}. A turn of which a call waits for leave when its window goes, or
 * yields to another one, stays open: {@link resumeTurn} goes on with it.
 */
export function runTurn(input: TurnInput, signal: AbortSignal): Promise<void> {
  return goOn(input, undefined, signal);
}

/**
 * Goes on with a turn whose message `seq` was left open: first with the calls that were not made, those that wait for
 * leave included. The limits of a turn count anew.
 */
export function resumeTurn(input: TurnInput, seq: number, signal: AbortSignal): Promise<void> {
  return goOn(input, { message: new OpenMessage(input, seq), calls: openCalls(input.recorder, seq) }, signal);
}

/** `left`: a message whose calls are to be made before the model is asked again. */
async function goOn(input: TurnInput, left: OpenStep | undefined, signal: AbortSignal): Promise<void> {
  const { recorder } = input;
  const facts: TurnFacts = { withoutTools: false, withoutThinking: false, tight: false, nudged: false };
  const runner = new CallRunner(input);
  let last: LastWord | undefined;
  let open = left;
  for (let step = 1; ; step += 1) {
    if (open === undefined) {
      if (step > STEPS_PER_TURN) last ??= AT_STEP_LIMIT;
      // Once at each border, whatever comes of it: a conversation that cannot become smaller must not be tried forever.
      if (!signal.aborted && isOverThreshold(input)) {
        recorder.at({ kind: 'compacting' });
        await compact(input, signal);
      }
      const answered = await runStep(input, facts, last, signal);
      if (answered.kind === 'over') return;
      open = answered;
    }
    const { message, calls }: OpenStep = open;
    recorder.at({ kind: 'tools' });
    const ran = await runner.run(message.seq, calls, signal);
    switch (ran) {
      case 'stopped':
        return message.stop(signal);
      case 'repeated_calls':
        last = IN_CIRCLES;
        break;
      case 'tool_errors':
        last = FAILING;
        break;
      case 'ran':
        break;
    }
    message.end({ status: 'done' });
    open = undefined;
  }
}

const AT_STEP_LIMIT: LastWord = { reason: 'step_limit', detail: String(STEPS_PER_TURN), hint: SUM_UP };
const IN_CIRCLES: LastWord = { reason: 'repeated_calls', hint: STOP_REPEATING };
const FAILING: LastWord = { reason: 'tool_errors', hint: SAY_WHAT_IS_MISSING };
