import type { Message } from '../../protocol/message';
import type { ContextMeter } from '../../protocol/status';
import { enclosed, neutralised } from '../base/frame';
import { FIT_SHARE, FIT_TRIES, RESULT_SHARE, TIGHT_SHARE } from '../base/limits';
import type { ChatMessage, ChatRequest, ToolDefinition } from '../ollama/modelClient';
import { meterOfRequest } from './contextMeter';
import { fitHistory, type FittedHistory } from './fitHistory';
import { forecast, type PlannedPrompt } from './forecast';
import { lastCompaction, modelHistory, type ModelHistory, type Told } from './history';
import { estimateMessage, estimatePrompt } from './tokens';
import type { TurnInput } from './turn';

/** What a request holds beside the conversation. Nothing of it is stored. */
export interface RequestVariant {
  /** Words of ours to the model, after everything else: how to do better, or what is wanted at the end. */
  readonly hint?: string;
  /** Leaves more room than usual: the server counts more than is expected here. */
  readonly tight?: boolean;
  readonly withoutTools?: boolean;
  readonly withoutThinking?: boolean;
}

/** A request that is ready to leave. */
export interface PreparedRequest {
  readonly request: ChatRequest;
  /** Tokens of the prompt, as estimated without correction by what the server said before: for `Usage.estimatedTokens`. */
  readonly estimatedTokens: number;
  /** How full the window will be with it. */
  readonly meter: ContextMeter;
  /** False: it does not fit into the window whatever is left out, since the person's last message alone is too long. */
  readonly fits: boolean;
}

/** Makes the next request of a turn from the conversation as it is now. */
export function prepareRequest(input: TurnInput, variant: RequestVariant = {}): PreparedRequest {
  const tools = variant.withoutTools === true ? [] : input.tools.definitions;
  const history = historyOf(input);
  const plan = (fitted: FittedHistory): PlannedPrompt => planned(input, { ...history, ...fitted }, tools, variant.hint);
  const fitted = fit(input, history, plan, variant.tight === true ? TIGHT_SHARE : FIT_SHARE);
  const prompt = plan(fitted ?? { told: history.told, leftOut: false });
  // That is always understood, also by models that cannot do without.
  const think = variant.withoutThinking === true ? false : input.think;
  return {
    request: {
      model: input.model,
      messages: messagesOf(prompt),
      tools,
      contextLength: input.contextLength,
      ...(input.keepAlive === undefined ? {} : { keepAlive: input.keepAlive }),
      ...(think === undefined ? {} : { think }),
    },
    estimatedTokens: estimateOf(prompt),
    meter: meterOf(input, prompt),
    fits: fitted !== undefined,
  };
}

/** What the next request would hold if everything fitted. `answered`: the last answer stands, none is asked for. */
export function historyOf(
  input: Pick<TurnInput, 'recorder' | 'contextLength' | 'vision'>,
  answered = false,
): ModelHistory {
  return modelHistory(input.recorder.transcript.messages, {
    resultTokens: Math.floor(input.contextLength * RESULT_SHARE),
    vision: input.vision,
    answered,
  });
}

/** Tokens that the next request would take if everything fitted, as the server would count them. */
export function wantedTokens(input: TurnInput): number {
  const prompt = planned(input, historyOf(input), input.tools.definitions);
  return forecast(countedFor(input), prompt).tokens;
}

/** How full the window is with what has been said so far. */
export function meterNow(input: TurnInput): ContextMeter {
  return meterOf(input, planned(input, historyOf(input, true), input.tools.definitions));
}

/** The estimate is corrected by what the server counted; whether that was enough is asked again of what is left. */
function fit(
  input: TurnInput,
  history: ModelHistory,
  plan: (fitted: FittedHistory) => PlannedPrompt,
  share: number,
): FittedHistory | undefined {
  const messages = countedFor(input);
  const room = input.contextLength * share;
  let prompt = plan({ told: history.told, leftOut: true });
  const fixed = estimateOf(prompt) - estimatesOf(history.told.flatMap((each) => each.messages));
  for (let tries = 1; tries <= FIT_TRIES; tries += 1) {
    const correction = forecast(messages, prompt).tokens / Math.max(1, estimateOf(prompt));
    const fitted = fitHistory(history, (tokens) => (fixed + tokens) * correction <= room);
    if (fitted === undefined) return undefined;
    prompt = plan(fitted);
    if (forecast(messages, prompt).tokens <= room) return fitted;
  }
  return undefined;
}

/**
 * What is sent, in the pieces that the meter tells apart. What is not of the conversation stands before the first words
 * of the person and is of their role: it is data.
 */
function planned(
  input: TurnInput,
  history: ModelHistory & { readonly leftOut?: boolean },
  tools: readonly ToolDefinition[],
  hint?: string,
): PlannedPrompt {
  const { summary, leftOut } = history;
  const before = [
    summary === undefined ? '' : enclosed('earlier_summary', {}, neutralised(summary)),
    leftOut === true || isPartLoaded(input) ? '(Earlier messages are left out here, since they do not fit.)' : '',
  ].filter((text) => text !== '');
  return {
    setting: [{ role: 'system', content: input.systemPrompt.toWellFormed() }, ...ours(input.background.toWellFormed())],
    history: [
      ...ours(before.join('\n\n')),
      ...history.told.flatMap((each: Told) => each.messages),
      ...ours(hint ?? ''),
    ],
    tools,
  };
}

/** Whether there are older messages than those in memory which no summary stands for. */
function isPartLoaded({ recorder }: TurnInput): boolean {
  const { messages, hasOlder } = recorder.transcript;
  return hasOlder && (messages[0]?.seq ?? 0) > (lastCompaction(messages)?.covers ?? 0) + 1;
}

function ours(content: string): readonly ChatMessage[] {
  return content === '' ? [] : [{ role: 'user', content }];
}

/** The messages as they are sent: some templates take no two of the person's in a row. */
function messagesOf({ setting, history }: PlannedPrompt): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const message of [...setting, ...history]) {
    const last = messages.at(-1);
    if (last?.role === 'user' && message.role === 'user') {
      const images = [...(last.images ?? []), ...(message.images ?? [])];
      const content = `${last.content}\n\n${message.content}`;
      messages[messages.length - 1] = { role: 'user', content, ...(images.length === 0 ? {} : { images }) };
    } else messages.push(message);
  }
  return messages;
}

function meterOf(input: TurnInput, prompt: PlannedPrompt): ContextMeter {
  return meterOfRequest(countedFor(input), prompt, {
    asked: input.contextLength,
    ...(input.trainedContext === undefined ? {} : { trained: input.trainedContext }),
  });
}

/** The messages whose figures tell something of this model: another one counts the same text otherwise. */
function countedFor({ recorder, model }: TurnInput): readonly Message[] {
  return recorder.transcript.messages.filter((message) => message.model === undefined || message.model === model);
}

function estimateOf({ setting, history, tools }: PlannedPrompt): number {
  return estimatePrompt([...setting, ...history], tools);
}

function estimatesOf(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}
