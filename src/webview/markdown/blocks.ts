import type { MarkedToken } from 'marked';
import { closeTail } from './closeTail';
import { lexBlocks } from './lex';

/** The blocks of a text that no longer grows. `cut`: it ended before it was complete, so marks may be open at its end. */
export function finishedBlocks(text: string, cut = false): readonly MarkedToken[] {
  const whole = normalised(text);
  return lexBlocks(cut ? closeTail(whole) : whole).filter(isDrawn);
}

/** Blocks that more text may still change: a later one can join the last, or turn it into something else. */
const OPEN_BLOCKS = 2;
/** Parsing that takes longer than this (ms) is followed by a rest of so many times as long. */
const SLOW_MS = 16;
const REST = 5;

/**
 * The blocks of a text that grows at its end. A block with two others after it is settled: it is never parsed again,
 * and stays the same object. So the cost of a frame is that of the last blocks, not of the answer.
 */
export class GrowingBlocks {
  #text = '';
  #settled: readonly MarkedToken[] = [];
  #settledChars = 0;
  #blocks: readonly MarkedToken[] = [];
  #restUntil = 0;

  update(grown: string): readonly MarkedToken[] {
    const text = normalised(grown);
    const since = performance.now();
    // Text that is made to be slow gets a fixed share of the time, and shows a little later.
    if (since < this.#restUntil && text.startsWith(this.#text)) return this.#blocks;
    this.#blocks = this.#lexed(text);
    const cost = performance.now() - since;
    this.#restUntil = cost > SLOW_MS ? since + cost * REST : 0;
    return this.#blocks;
  }

  #lexed(text: string): readonly MarkedToken[] {
    if (!text.startsWith(this.#text)) {
      this.#settled = [];
      this.#settledChars = 0;
    }
    this.#text = text;
    const tail = text.slice(this.#settledChars);
    const tokens = lexBlocks(closeTail(tail));
    const open = openIndex(tokens);
    const before = tokens.slice(0, open);
    const raw = before.map((token) => token.raw).join('');
    // The lexer promises that what it read is what it was given; should it ever not be so, nothing is settled.
    if (before.length > 0 && tail.startsWith(raw)) {
      this.#settled = [...this.#settled, ...before.filter(isDrawn)];
      this.#settledChars += raw.length;
      return [...this.#settled, ...tokens.slice(open).filter(isDrawn)];
    }
    return [...this.#settled, ...tokens.filter(isDrawn)];
  }
}

/** Where the blocks begin that are still open. */
function openIndex(tokens: readonly MarkedToken[]): number {
  let drawn = 0;
  for (let index = tokens.length - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    if (token === undefined || !isDrawn(token)) continue;
    drawn += 1;
    if (drawn === OPEN_BLOCKS) return index;
  }
  return 0;
}

function isDrawn(token: MarkedToken): boolean {
  return token.type !== 'space' && token.type !== 'def';
}

function normalised(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
