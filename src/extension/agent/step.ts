import type { EndReason } from '../../protocol/message';
import { messageAt } from '../../protocol/transcript';
import { pause } from '../base/clock';
import { assertNever } from '../base/assertNever';
import { REQUEST_TRIES } from '../base/limits';
import type { ModelToolCall } from '../ollama/modelClient';
import { recordAnswer, type AnswerPlace, type PlacedCall } from './answer';
import { compact, isOverThreshold } from './compaction';
import { DO_IT, NO_MORE_CALLS } from './hints';
import { OpenMessage, type HowEnded } from './openMessage';
import { prepareRequest, type RequestVariant } from './request';
import type { TurnInput } from './turn';
import { Judge, type Asked } from './verdict';

/** What the steps of a turn have shown of the model. */
export interface TurnFacts {
  withoutTools: boolean;
  withoutThinking: boolean;
  /** The server found a prompt too long that was made to fit: less is told from then on. */
  tight: boolean;
  /** It was reminded once that it only announced something. */
  nudged: boolean;
}

/** The last request of a turn that has come to a limit: without tools, for an answer in words. */
export interface LastWord {
  readonly reason: EndReason;
  readonly detail?: string;
  readonly hint: string;
}

/** Calls to run, and their message, which is open as long. */
export interface OpenStep {
  readonly calls: readonly PlacedCall[];
  readonly message: OpenMessage;
}

/** How a step ended: with the turn, or with calls to run. */
export type StepEnd = { readonly kind: 'over' } | ({ readonly kind: 'calls' } & OpenStep);

/**
 * One step of a turn: asks the model until there is an answer that can be used, or none is to be had. What an attempt
 * brought that is of no use is kept in a message of its own; an attempt that brought nothing leaves no trace.
 */
export async function runStep(
  input: TurnInput,
  facts: TurnFacts,
  last: LastWord | undefined,
  signal: AbortSignal,
): Promise<StepEnd> {
  const { recorder, clock, client } = input;
  const judge = new Judge();
  let message = new OpenMessage(input);
  let variant: RequestVariant = {};
  let answered = false;
  for (;;) {
    const prepared = prepareRequest(input, wholeVariant(variant, facts, last));
    const { request } = prepared;
    if (!prepared.fits) return over(message, { status: 'error', reason: 'context_full' });
    recorder.context(prepared.meter);
    recorder.at({ kind: 'waiting' });
    await recorder.gate();
    if (signal.aborted) return stopped(message, signal);
    const tools = request.tools.map((tool) => tool.name);
    const place = answerPlace(input, message.seq, tools);
    const answer = await recordAnswer(client.chat(request, signal), place, signal);
    if (answer.kind === 'ended') message.measured(answer.usage, prepared);
    const asked: Asked = {
      tools,
      think: request.think !== undefined && request.think !== false,
      mayNudge: !facts.nudged && last === undefined,
      answered,
    };
    // What was aborted meanwhile is neither tried again nor ended as anything else.
    const verdict = signal.aborted ? ({ kind: 'stopped' } as const) : judge.verdict(answer, asked);
    switch (verdict.kind) {
      case 'stopped':
        return stopped(message, signal);
      case 'calls':
        if (last === undefined) return { kind: 'calls', calls: answer.calls, message };
        refuseCalls(input, message.seq, answer.calls);
        return over(message, lastWord(last, { status: answer.text.trim() === '' ? 'error' : 'done' }));
      case 'end':
        return over(message, last === undefined ? verdict.how : lastWord(last, verdict.how));
      case 'wait':
        recorder.at({ kind: 'retrying', attempt: verdict.attempt, of: REQUEST_TRIES, reason: verdict.reason });
        await pause(clock, verdict.ms, signal);
        break;
      case 'without':
        if (verdict.what === 'tools') facts.withoutTools = true;
        else facts.withoutThinking = true;
        message.note(verdict.what === 'tools' ? 'without_tools' : 'without_thinking');
        break;
      case 'nudge':
        facts.nudged = true;
        answered = true;
        variant = { hint: DO_IT };
        break;
      case 'again': {
        facts.tight ||= verdict.compact === 'always';
        const shrinks = verdict.compact === 'always' || (verdict.compact === 'if_over' && isOverThreshold(input));
        // A summary is a message of its own, so that none may be open before it.
        if (shrinks || !message.isBlank) {
          const { reason, detail } = verdict;
          message.end({ status: 'error', reason, ...(detail === undefined ? {} : { detail }) });
          if (shrinks) await makeSmaller(input, verdict.compact === 'always' ? 'overflow' : 'full', signal);
          message = new OpenMessage(input);
        }
        answered = false;
        variant = verdict.variant;
        break;
      }
      default:
        assertNever(verdict);
    }
  }
}

async function makeSmaller(input: TurnInput, why: 'overflow' | 'full', signal: AbortSignal): Promise<void> {
  input.recorder.at({ kind: 'compacting' });
  await compact(input, signal, why);
}

/** The words of the last request are the last ones, whatever came before. */
function wholeVariant(variant: RequestVariant, facts: TurnFacts, last: LastWord | undefined): RequestVariant {
  const hint = last?.hint ?? variant.hint;
  return {
    ...(hint === undefined ? {} : { hint }),
    tight: facts.tight,
    withoutTools: facts.withoutTools || last !== undefined,
    withoutThinking: facts.withoutThinking || variant.withoutThinking === true,
  };
}

/** A turn that came to a limit says so, however its last answer ended. Failures of the server keep their own reason. */
function lastWord({ reason, detail }: LastWord, how: HowEnded): HowEnded {
  const own = how.status === 'error' && how.reason !== undefined && how.reason !== 'empty';
  return own ? how : { status: how.status, reason, ...(detail === undefined ? {} : { detail }) };
}

function answerPlace(input: TurnInput, seq: number, offered: readonly string[]): AnswerPlace {
  const { recorder, clock, tools } = input;
  return {
    seq,
    recorder,
    clock,
    repair: (call: ModelToolCall) => ({ ...call, ...tools.repair?.(call.name, call.arguments) }),
    offers: (name) => offered.includes(tools.repair?.(name, {}).name ?? name),
  };
}

/** Some models call although they were given no tools. */
function refuseCalls({ recorder }: TurnInput, seq: number, calls: readonly PlacedCall[]): void {
  for (const { idx } of calls) {
    const part = messageAt(recorder.transcript.messages, seq)?.parts[idx];
    if (part?.type !== 'tool') continue;
    const result = { content: NO_MORE_CALLS, summary: 'not run' };
    recorder.record({ type: 'part_set', seq, idx, part: { ...part, state: 'error', result } });
  }
}

function over(message: OpenMessage, how: HowEnded): StepEnd {
  message.end(how);
  return { kind: 'over' };
}

function stopped(message: OpenMessage, signal: AbortSignal): StepEnd {
  message.stop(signal);
  return { kind: 'over' };
}
