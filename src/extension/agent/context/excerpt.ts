import { cutAt } from '../../base/text';
import { textFrom } from '../../tools/outputText';

/** Share of a cut text that is its beginning. */
const HEAD_SHARE = 0.6;
/** UTF-8 bytes that are kept for the words on what is left out. */
const GAP_BYTES = 160;

/** What is left out of a text: so many characters, in the lines `first` to `last`, counted from 1 and with both. */
export interface Omission {
  readonly characters: number;
  readonly first: number;
  readonly last: number;
}

/**
 * The text, or its beginning and end with `gap` between them, in about `bytes` UTF-8 bytes. It is cut at the ends of
 * lines where that costs little.
 */
export function excerpt(text: string, bytes: number, gap: (omission: Omission) => string): string {
  const size = Buffer.byteLength(text);
  if (size <= bytes) return text;
  // Bytes of a part are unknown until it is cut: they are taken to be spread evenly, and corrected where they are not.
  let room = Math.max(0, bytes - GAP_BYTES);
  for (;;) {
    const cut = cutMiddle(text, Math.floor((room * text.length) / size), gap);
    const over = Buffer.byteLength(cut) - bytes;
    if (over <= 0 || room === 0) return cut;
    room = Math.max(0, room - over);
  }
}

function cutMiddle(text: string, characters: number, gap: (omission: Omission) => string): string {
  const head = toLineEnd(cutAt(text, Math.floor(characters * HEAD_SHARE)));
  const tail = fromLineStart(textFrom(text, text.length - (characters - Math.floor(characters * HEAD_SHARE))));
  const last = text.length - tail.length;
  const omission = {
    characters: last - head.length,
    first: lineAt(text, head.length),
    // The end of a line belongs to it.
    last: lineAt(text, Math.max(head.length, last - 1)),
  };
  const lines = [head.replace(/\n$/, ''), gap(omission), tail].filter((piece) => piece !== '');
  return lines.join('\n').toWellFormed();
}

/** Back to the last end of a line, unless that is far. */
function toLineEnd(head: string): string {
  const end = head.lastIndexOf('\n') + 1;
  return end * 2 > head.length ? head.slice(0, end) : head;
}

function fromLineStart(tail: string): string {
  const start = tail.indexOf('\n') + 1;
  return start > 0 && start * 2 < tail.length ? tail.slice(start) : tail;
}

/** Number of the line at an offset. */
function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
