import { FIT_SHARE, RESULT_SHARE } from '../base/limits';
import type { ChatMessage, ChatRequest } from '../ollama/modelClient';
import { contextForecast } from './contextMeter';
import { fitHistory } from './fitHistory';
import { modelHistory, type ModelHistory, type Told } from './history';
import { estimateMessage, estimateTools } from './tokens';
import type { TurnInput } from './turn';

/** What a request holds beside the conversation. Nothing of it is stored. */
export interface RequestVariant {
  /** Words of ours to the model, after everything else: how to do better, or what is wanted at the end. */
  readonly hint?: string;
  readonly withoutTools?: boolean;
  readonly withoutThinking?: boolean;
}

/** A request that is ready to leave. */
export interface PreparedRequest {
  readonly request: ChatRequest;
  /** Tokens of the prompt, as estimated without correction by what the server said before: for `Usage.estimatedTokens`. */
  readonly estimatedTokens: number;
  /** False: it does not fit into the window whatever is left out, since the person's last message alone is too long. */
  readonly fits: boolean;
}

/** Makes the next request of a turn from the conversation as it is now. */
export function prepareRequest(input: TurnInput, variant: RequestVariant = {}): PreparedRequest {
  const tools = variant.withoutTools === true ? [] : input.tools.definitions;
  const history = historyOf(input);
  const head = (leftOut: boolean): ChatMessage[] => [
    { role: 'system', content: input.systemPrompt.toWellFormed() },
    ...told([], history.summary, input.background, leftOut),
  ];
  const hint: readonly ChatMessage[] = variant.hint === undefined ? [] : [{ role: 'user', content: variant.hint }];
  const fixed = [...head(true), ...hint].reduce((sum, message) => sum + estimateMessage(message), estimateTools(tools));
  const room = input.contextLength * FIT_SHARE;
  const forecast = contextForecast(input.recorder.transcript.messages);
  const fitted = fitHistory(history, (tokens) => forecast(fixed + tokens) <= room);
  const messages = [
    { role: 'system', content: input.systemPrompt.toWellFormed() } as const,
    ...withHint(told(fitted?.told ?? history.told, history.summary, input.background, fitted?.leftOut === true), hint),
  ];
  const think = variant.withoutThinking === true ? withoutThinking(input.think) : input.think;
  return {
    request: {
      model: input.model,
      messages,
      tools,
      contextLength: input.contextLength,
      ...(input.keepAlive === undefined ? {} : { keepAlive: input.keepAlive }),
      ...(think === undefined ? {} : { think }),
    },
    estimatedTokens: messages.reduce((sum, message) => sum + estimateMessage(message), estimateTools(tools)),
    fits: fitted !== undefined,
  };
}

/** What the next request would hold if everything fitted. */
export function historyOf(input: Pick<TurnInput, 'recorder' | 'contextLength' | 'vision'>): ModelHistory {
  return modelHistory(input.recorder.transcript.messages, {
    resultTokens: Math.floor(input.contextLength * RESULT_SHARE),
    vision: input.vision,
  });
}

/** Tokens that the next request would take if everything fitted, as the server would count them. */
export function wantedTokens(input: TurnInput): number {
  const history = historyOf(input);
  const messages = told(history.told, history.summary, input.background, false);
  const estimate = messages.reduce(
    (sum, message) => sum + estimateMessage(message),
    estimateTools(input.tools.definitions) + estimateMessage({ role: 'system', content: input.systemPrompt }),
  );
  return contextForecast(input.recorder.transcript.messages)(estimate);
}

/**
 * The messages after the system prompt. What is not of the conversation stands before the first of them, in a message of
 * the person's role: it is data, and some templates take no two messages of one role in a row.
 */
function told(
  history: readonly Told[],
  summary: string | undefined,
  background: string,
  leftOut: boolean,
): readonly ChatMessage[] {
  const before = [
    background,
    summary === undefined ? '' : `<summary_of_earlier_messages>\n${summary}\n</summary_of_earlier_messages>`,
    leftOut ? '(Earlier messages are left out here, since they do not fit.)' : '',
  ].filter((text) => text !== '');
  const messages = history.flatMap((each) => each.messages);
  if (before.length === 0) return messages;
  const [first, ...rest] = messages;
  const words = before.join('\n\n').toWellFormed();
  if (first?.role !== 'user') return [{ role: 'user', content: words }, ...messages];
  return [{ ...first, content: `${words}\n\n${first.content}` }, ...rest];
}

function withHint(messages: readonly ChatMessage[], hint: readonly ChatMessage[]): readonly ChatMessage[] {
  const [words] = hint;
  const last = messages.at(-1);
  if (words === undefined) return messages;
  if (last?.role !== 'user') return [...messages, words];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${words.content}` }];
}

/** A model that thinks at levels cannot be told not to: least it is. */
function withoutThinking(think: TurnInput['think']): TurnInput['think'] {
  return typeof think === 'string' ? 'low' : think === undefined ? undefined : false;
}
