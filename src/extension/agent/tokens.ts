import { CHARS_PER_TOKEN } from '../base/limits';
import type { ChatMessage, ToolDefinition } from '../ollama/modelClient';

/** Tokens of a text, roughly: the true number depends on the model. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** Tokens of one message of a request, with what the model's template puts around it. */
export function estimateMessage(message: ChatMessage): number {
  const calls = message.toolCalls?.map((call) => call.name + JSON.stringify(call.arguments)).join('') ?? '';
  return estimateTokens(message.content + (message.thinking ?? '') + calls) + 5;
}

/** Tokens of the definitions of tools in a request. */
export function estimateTools(tools: readonly ToolDefinition[]): number {
  return tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
}
