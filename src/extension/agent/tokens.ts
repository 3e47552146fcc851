import type { ChatMessage, ToolDefinition } from '../ollama/modelClient';
import { REMEMBERED_SPLIT_CHARS } from '../base/limits';
import { NO_TOKENS, splitTokens, TOKEN_CLASSES, type TokenClass, type TokenSplit } from './tokenPieces';

/** Ollama counts so many tokens for an image. */
const TOKENS_PER_IMAGE = 768;
/** Around each message: its beginning, its role, its end. */
const MESSAGE_FRAME = 5;
/** Around a call, a result and a stretch of thinking, in a message. */
const CALL_FRAME = 10;
const RESULT_FRAME = 5;
const THINKING_FRAME = 5;
/** What a template says about tools beside their definitions, and around each of them. */
const TOOLS_FRAME = 85;
const TOOL_FRAME = 9;

/** Tokens of a text, roughly: the true number depends on the model. */
export function estimateTokens(text: string): number {
  return totalOf(tokensOfText(text));
}

/** Tokens of one message of a request, with what the model's template puts around it. */
export function estimateMessage(message: ChatMessage): number {
  return totalOf(tokensOfMessage(message));
}

/** Tokens of the definitions of tools in a request. */
export function estimateTools(tools: readonly ToolDefinition[]): number {
  return totalOf(tokensOfTools(tools));
}

/** Tokens of a whole request: what `Usage.estimatedTokens` holds of each one that was sent. */
export function estimatePrompt(messages: readonly ChatMessage[], tools: readonly ToolDefinition[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), estimateTools(tools));
}

/** Tokens of the images in a request, as far as they are part of {@link estimatePrompt}: models differ widely in them. */
export function estimateImages(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { images = [] }) => sum + images.length * TOKENS_PER_IMAGE, 0);
}

/** A whole number of tokens, rounded up. */
export function totalOf(split: TokenSplit): number {
  return Math.ceil(TOKEN_CLASSES.reduce((sum, name) => sum + split[name], 0));
}

/** The parts of {@link estimateMessage}, by class. */
export function tokensOfMessage(message: ChatMessage): TokenSplit {
  const { content, thinking = '', toolCalls = [], images = [] } = message;
  return sumOf([
    tokensOfText(content),
    thinking === '' ? NO_TOKENS : sumOf([tokensOfText(thinking), frame(THINKING_FRAME)]),
    ...toolCalls.map(({ name, arguments: args }) => tokensOfCall(name, args)),
    frame(MESSAGE_FRAME + (message.role === 'tool' ? RESULT_FRAME : 0) + images.length * TOKENS_PER_IMAGE),
  ]);
}

/** A call as a model writes it. */
export function tokensOfCall(name: string, args: object): TokenSplit {
  return sumOf([tokensOfText(name), tokensOfText(JSON.stringify(args)), frame(CALL_FRAME)]);
}

/** The parts of {@link estimateTools}, by class. */
export function tokensOfTools(tools: readonly ToolDefinition[]): TokenSplit {
  if (tools.length === 0) return NO_TOKENS;
  return sumOf([tokensOfText(JSON.stringify(tools)), frame(TOOLS_FRAME + tools.length * TOOL_FRAME)]);
}

export function sumOf(splits: readonly TokenSplit[]): TokenSplit {
  const sum: Record<TokenClass, number> = { ...NO_TOKENS };
  for (const split of splits) for (const name of TOKEN_CLASSES) sum[name] += split[name];
  return sum;
}

function frame(tokens: number): TokenSplit {
  return { ...NO_TOKENS, frame: tokens };
}

/** What came before comes again with every request of a turn: only what is new is looked at. */
const remembered = new Map<string, TokenSplit>();
let rememberedChars = 0;

/** Tokens of a text by class. */
export function tokensOfText(text: string): TokenSplit {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const split = splitTokens(text);
  if (rememberedChars + text.length > REMEMBERED_SPLIT_CHARS) {
    remembered.clear();
    rememberedChars = 0;
  }
  remembered.set(text, split);
  rememberedChars += text.length;
  return split;
}
