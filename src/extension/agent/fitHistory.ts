import type { ChatMessage } from '../ollama/modelClient';
import type { ModelHistory, Told } from './history';
import { shortResult } from './shortResult';
import { estimateMessage } from './tokens';

/** What fits of a history, and whether something that is neither told nor summarised was left out for it. */
export interface FittedHistory {
  readonly told: readonly Told[];
  readonly leftOut: boolean;
}

/** Results get at least so much (tokens) before nothing is left of them. */
const SHORTEST_RESULT = 60;

/**
 * Makes a history fit by leaving out what is missed least, and never a part of a pair: first results of older turns,
 * then older turns, then results and steps of this turn but for the last, then most of the last results, at the end the
 * thinking. `fits` is asked with the estimated tokens of all that is told. Undefined: not even the person's last message
 * with the last step fits.
 */
export function fitHistory(
  { told }: Pick<ModelHistory, 'told'>,
  fits: (tokens: number) => boolean,
): FittedHistory | undefined {
  const kept = new Kept(told);
  if (fits(kept.tokens)) return { told, leftOut: false };
  const turn = Math.max(
    0,
    told.findLastIndex((each) => each.own),
  );
  const last = told.length - 1;
  for (let index = 0; index < turn; index += 1) {
    kept.replace(index, withoutResults);
    if (fits(kept.tokens)) return kept.result(false);
  }
  for (let index = 0; index < turn; index += 1) {
    kept.drop(index);
    // A turn goes as a whole: half of one would begin with an answer.
    const whole = told[index + 1]?.own !== false;
    if (whole && fits(kept.tokens)) return kept.result(true);
  }
  for (let index = turn + 1; index < last; index += 1) {
    kept.replace(index, withoutResults);
    if (fits(kept.tokens)) return kept.result(true);
  }
  for (let index = turn + 1; index < last; index += 1) {
    kept.drop(index);
    if (fits(kept.tokens)) return kept.result(true);
  }
  if (last > turn) {
    for (let tokens = longestResult(told[last]); tokens > SHORTEST_RESULT; tokens = Math.floor(tokens / 2)) {
      kept.replace(last, (message) => withShortResult(message, Math.floor(tokens / 2)));
      if (fits(kept.tokens)) return kept.result(true);
    }
    kept.replace(last, withoutThinking);
    if (!fits(kept.tokens)) kept.replace(last, withoutImages);
  }
  return fits(kept.tokens) ? kept.result(true) : undefined;
}

/** A history that gets smaller, and what it takes now. */
class Kept {
  readonly #told: (Told | undefined)[];
  readonly #sizes: number[];
  #tokens: number;

  constructor(told: readonly Told[]) {
    this.#told = [...told];
    this.#sizes = told.map(sizeOf);
    this.#tokens = this.#sizes.reduce((sum, size) => sum + size, 0);
  }

  get tokens(): number {
    return this.#tokens;
  }

  replace(index: number, change: (message: ChatMessage) => ChatMessage): void {
    const told = this.#told[index];
    if (told === undefined) return;
    const changed = { ...told, messages: told.messages.map(change) };
    this.#told[index] = changed;
    this.#resize(index, sizeOf(changed));
  }

  drop(index: number): void {
    this.#told[index] = undefined;
    this.#resize(index, 0);
  }

  #resize(index: number, size: number): void {
    this.#tokens += size - (this.#sizes[index] ?? 0);
    this.#sizes[index] = size;
  }

  result(leftOut: boolean): FittedHistory {
    return { told: this.#told.filter((told) => told !== undefined), leftOut };
  }
}

/** Estimated tokens of what is told of one message. */
export function sizeOf(told: Told): number {
  return told.messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

function longestResult(told: Told | undefined): number {
  const results = told?.messages.filter((message) => message.role === 'tool') ?? [];
  return Math.max(0, ...results.map(estimateMessage));
}

function withoutResults(message: ChatMessage): ChatMessage {
  if (message.role !== 'tool') return message;
  const content = '(This result was left out to save room. Make the call again if it is needed.)';
  const { images: _, ...words } = message;
  return words.content.length <= content.length ? words : { ...words, content };
}

/** Those of the person stay: they belong to the question. */
function withoutImages(message: ChatMessage): ChatMessage {
  if (message.role !== 'tool') return message;
  const { images, ...words } = message;
  return images === undefined
    ? message
    : { ...words, content: `${words.content}\n\n(The image was left out to save room.)` };
}

function withShortResult(message: ChatMessage, tokens: number): ChatMessage {
  return message.role === 'tool' ? { ...message, content: shortResult(message.content, tokens) } : message;
}

function withoutThinking(message: ChatMessage): ChatMessage {
  const { thinking: _, ...rest } = message;
  return rest;
}
