import { ANSWER_SHARE, CHARS_PER_TOKEN } from '../base/limits';
import type { ChatMessage, ChatRequest } from '../ollama/modelClient';
import { modelHistory } from './history';
import { estimatePrompt } from './tokens';
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
  const { recorder, systemPrompt, contextLength } = input;
  const tools = variant.withoutTools === true ? [] : input.tools.definitions;
  const fixed = systemPrompt.length + JSON.stringify(tools).length;
  const chars = contextLength * CHARS_PER_TOKEN * (1 - ANSWER_SHARE) - fixed;
  const messages: ChatMessage[] = [
    { role: 'system', content: systemPrompt },
    ...modelHistory(recorder.transcript.messages, chars),
  ];
  if (variant.hint !== undefined) messages.push({ role: 'user', content: variant.hint });
  const think = variant.withoutThinking === true ? undefined : input.think;
  const request = {
    model: input.model,
    messages,
    tools,
    contextLength,
    ...(input.keepAlive === undefined ? {} : { keepAlive: input.keepAlive }),
    ...(think === undefined ? {} : { think }),
  };
  const estimatedTokens = estimatePrompt(messages, tools);
  return { request, estimatedTokens, fits: true };
}
