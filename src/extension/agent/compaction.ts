import type { Message } from '../../protocol/message';
import { isOwnMessage } from '../../protocol/message';
import { ANSWER_CHARS, COMPACT_KEEP_SHARE, COMPACT_LEAST_SHARE, COMPACT_SHARE, SUMMARY_SHARE } from '../base/limits';
import type { ChatRequest, ModelFailure } from '../ollama/modelClient';
import { failed, succeeded, type Result } from '../base/result';
import { sizeOf } from './fitHistory';
import { lastCompaction, type Told } from './history';
import { shortened } from './shortResult';
import { plainSummary, summaryRequest } from './summary';
import { historyOf, meterNow, wantedTokens } from './request';
import type { TurnInput } from './turn';

/** What came of a try to make the conversation smaller for the model. */
export type Compaction =
  | { readonly kind: 'compacted' }
  /** There is nothing that could be left out. */
  | { readonly kind: 'nothing' }
  /** The server of models is not there, or will not answer now. Nothing was changed. */
  | { readonly kind: 'failed'; readonly failure: ModelFailure }
  | { readonly kind: 'stopped' };

/**
 * `full`: the window is about to be. `overflow`: the server found the prompt too long, so as little as possible is kept.
 * `asked`: the person wants it: all but the last turn is summarised, however much room there is.
 */
export type CompactionReason = 'full' | 'overflow' | 'asked';

/** Whether the next request takes so much of the window that older messages should be summarised first. */
export function isOverThreshold(input: TurnInput): boolean {
  return wantedTokens(input) >= input.contextLength * COMPACT_SHARE && plannedCovers(input, 'full') !== undefined;
}

/** Whether the person can have older messages summarised: all but the last turn. */
export function canCompact(messages: readonly Message[]): boolean {
  return beforeLastTurn(messages) !== undefined;
}

/**
 * Summarises what is older for the model, as a notice in the transcript; the transcript keeps every word. When the model
 * answers but writes no summary, one is made of what the person asked and what was done. Never rejects.
 */
export async function compact(
  input: TurnInput,
  signal: AbortSignal,
  why: CompactionReason = 'full',
): Promise<Compaction> {
  const { recorder, clock, model } = input;
  const { messages } = recorder.transcript;
  const covers = why === 'asked' ? beforeLastTurn(messages) : plannedCovers(input, why);
  if (covers === undefined) return { kind: 'nothing' };
  const before = lastCompaction(messages);
  const covered = messages.filter(({ seq }) => seq <= covers && seq > (before?.covers ?? 0));
  const summarised = { before: before?.text, messages: covered, next: messages.findLast(isOwnMessage) };
  const tokens = Math.floor(input.contextLength * SUMMARY_SHARE);
  const request = summaryRequest(input, summarised, tokens);
  await recorder.gate();
  if (signal.aborted) return { kind: 'stopped' };
  const written = await write(input, request, signal);
  if (signal.aborted) return { kind: 'stopped' };
  if (!written.ok) return { kind: 'failed', failure: written.failure };
  // Some servers let a model write as long as it likes, and it counts otherwise than is estimated here.
  const text =
    written.value === undefined
      ? plainSummary(before?.text, covered, tokens)
      : shortened(written.value, tokens * WRITTEN_SUMMARY_EXCESS);
  recorder.record({
    type: 'message_added',
    message: {
      seq: (messages.at(-1)?.seq ?? 0) + 1,
      role: 'user',
      origin: 'host',
      status: 'done',
      createdAt: clock.now(),
      model,
      parts: [{ type: 'notice', kind: 'compaction', text, covers }],
    },
  });
  recorder.context(meterNow(input));
  await recorder.gate();
  return signal.aborted ? { kind: 'stopped' } : { kind: 'compacted' };
}

/**
 * The place up to which a summary should stand: what is kept word by word is a share of the window, the newest messages.
 * Undefined when so little would be gained that it is not worth a request.
 */
function plannedCovers(input: TurnInput, why: 'full' | 'overflow'): number | undefined {
  const { told } = historyOf(input);
  const room = why === 'full' ? input.contextLength * COMPACT_KEEP_SHARE : 0;
  const least = why === 'full' ? input.contextLength * COMPACT_LEAST_SHARE : 1;
  let kept = 0;
  let first = told.length;
  // The last step stays whatever it takes: the model is in the middle of it.
  while (first > 0) {
    const size = sizeAt(told, first - 1);
    if (first < told.length && kept + size > room) break;
    kept += size;
    first -= 1;
  }
  // The person's last message is told anyway.
  const lastOwn = told.findLastIndex((each) => each.own);
  const covered = told.slice(0, first).filter((_, index) => index !== lastOwn);
  const gained = covered.reduce((sum, each) => sum + sizeOf(each), 0);
  const covers = told[first - 1]?.seq;
  return gained < least ? undefined : covers;
}

function sizeAt(told: readonly Told[], index: number): number {
  const one = told[index];
  return one === undefined ? 0 : sizeOf(one);
}

/** The place of the last message before the last turn that is not summarised yet. */
function beforeLastTurn(messages: readonly Message[]): number | undefined {
  const covers = lastCompaction(messages)?.covers ?? 0;
  const lastOwn = messages.findLast(isOwnMessage)?.seq ?? 0;
  return messages.findLast(({ seq, origin }) => seq < lastOwn && seq > covers && origin === undefined)?.seq;
}

/** A summary that is estimated at more than so many times what was asked for is shortened. */
const WRITTEN_SUMMARY_EXCESS = 1.5;

/** What is the model's fault: asked again it would do no better, and a plain summary serves. */
const NO_SUMMARY: ReadonlySet<ModelFailure['reason']> = new Set(['model_fault', 'overflow', 'cut_off', 'no_thinking']);

/** The summary as the model writes it; undefined when it writes none. */
async function write(
  input: TurnInput,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<Result<string | undefined, ModelFailure>> {
  let text = '';
  let chars = 0;
  for await (const event of input.client.chat(request, signal)) {
    if (event.type === 'text') text += event.text;
    if (event.type === 'text' || event.type === 'thinking') chars += event.text.length;
    // What is longer has no end.
    if (chars > ANSWER_CHARS) break;
    if (event.type === 'text_was_thinking') text = '';
    if (event.type === 'failed' && !NO_SUMMARY.has(event.failure.reason)) return failed(event.failure);
  }
  // A summary that was cut in the middle still says more than none.
  return succeeded(text.trim() === '' ? undefined : text.trim());
}
