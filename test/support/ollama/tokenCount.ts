import type { ChatRequest } from './chatRequest';

const CHARACTERS_PER_TOKEN = 4;
/** Ollama protocol: the server's own estimate for the fit counts this many tokens for an image. */
const TOKENS_PER_IMAGE = 768;

/** A deterministic stand-in for a tokenizer: one token for four characters, rounded up. */
export function countTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Tokens of everything the request would put into the prompt: messages, tool definitions and images. */
export function countPromptTokens(request: ChatRequest): number {
  let images = 0;
  const messages = request.messages.map(({ images: attached, ...rest }) => {
    images += attached?.length ?? 0;
    return rest;
  });
  const text = JSON.stringify(request.tools ? [messages, request.tools] : messages);
  return countTokens(text.length) + images * TOKENS_PER_IMAGE;
}
