import { READ_BYTES, READ_LINE_CHARS, READ_LINES } from '../base/limits';
import { cutLine } from './outputText';

/** Lines in their order, cut each, as far as the limits of one result allow. */
export class LineWindow {
  readonly lines: string[] = [];
  readonly #maxLines: number;
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param share of the limits that this window may use, from 0 to 1 */
  constructor(share = 1) {
    this.#maxLines = Math.floor(READ_LINES * share);
    this.#maxBytes = Math.floor(READ_BYTES * share);
  }

  /** Takes the line, or answers false when it would be too much. */
  add(line: string): boolean {
    const shown = cutLine(line, READ_LINE_CHARS);
    const bytes = Buffer.byteLength(shown) + 1;
    if (this.lines.length >= this.#maxLines || this.#bytes + bytes > this.#maxBytes) return false;
    this.lines.push(shown);
    this.#bytes += bytes;
    return true;
  }
}

/** The beginning of a text and, when it is too long, its end. `omitted` lines lie between them. */
export interface HeadAndTail {
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly omitted: number;
}

/** As many whole lines as one result may hold: all, or half of the room each for the beginning and the end. */
export function headAndTail(lines: readonly string[]): HeadAndTail {
  const all = new LineWindow();
  if (lines.every((line) => all.add(line))) return { head: all.lines, tail: [], omitted: 0 };
  const head = new LineWindow(1 / 2);
  lines.every((line) => head.add(line));
  const tail = new LineWindow(1 / 2);
  for (let index = lines.length - 1; index >= head.lines.length; index -= 1) {
    if (!tail.add(lines[index] ?? '')) break;
  }
  return {
    head: head.lines,
    tail: tail.lines.toReversed(),
    omitted: lines.length - head.lines.length - tail.lines.length,
  };
}
