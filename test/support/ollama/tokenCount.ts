import type { ChatRequest } from './chatRequest';
import { promptOf } from './promptText';
import type { PromptPiece } from './promptText';
import { o200k } from './tokenizer';
import type { Tokenizer } from './tokenizer';

/** Ollama protocol: the server's own estimate for the fit counts this many tokens for an image. */
const TOKENS_PER_IMAGE = 768;
/** The same texts come in every request of a conversation. Characters of those that are remembered. */
const REMEMBERED_CHARS = 8_000_000;
/** A run of letters, marks or spaces that no tokenizer cuts takes time that grows with its square: it is cut here. */
const LONG_RUN = /[\p{L}\p{M}]{256}|[^\s\p{L}\p{N}]{256}|\s{256}/u;
const CUT_CHARS = 256;
/** What is longer fits into no window of a test: its tokens are reckoned from its beginning. */
const COUNTED_CHARS = 100_000;

/** Counts for one vocabulary, and remembers. */
export class TokenCount {
  readonly #tokenizer: Tokenizer;
  readonly #known = new Map<string, number>();
  #chars = 0;

  constructor(tokenizer: Tokenizer = o200k) {
    this.#tokenizer = tokenizer;
  }

  /** Tokens of the prompt that the request is rendered to: messages, tool definitions and images. */
  countPromptTokens(request: ChatRequest): number {
    const images = request.messages.reduce((sum, message) => sum + (message.images?.length ?? 0), 0);
    return this.countPieces(promptOf(request)) + images * TOKENS_PER_IMAGE;
  }

  countPieces(pieces: readonly PromptPiece[]): number {
    return pieces.reduce((sum, piece) => sum + ('special' in piece ? 1 : this.countTokens(piece.text)), 0);
  }

  /** Tokens of a text. */
  countTokens(text: string): number {
    if (text.length > COUNTED_CHARS) {
      return Math.round((this.countTokens(text.slice(0, COUNTED_CHARS)) * text.length) / COUNTED_CHARS);
    }
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const tokens = LONG_RUN.test(text)
      ? piecesOf(text).reduce((sum, piece) => sum + this.#tokenizer(piece), 0)
      : this.#tokenizer(text);
    if (this.#chars > REMEMBERED_CHARS) {
      this.#known.clear();
      this.#chars = 0;
    }
    this.#known.set(text, tokens);
    this.#chars += text.length;
    return tokens;
  }
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += CUT_CHARS) pieces.push(text.slice(start, start + CUT_CHARS));
  return pieces;
}
