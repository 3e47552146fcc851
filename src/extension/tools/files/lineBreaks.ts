/** One line of a text. `end`: its line break as it stands there; empty for the last one. */
export interface Line {
  readonly text: string;
  readonly end: string;
}

const BREAK = /\r\n|\r|\n/g;

/** The lines of a text; all of their texts and ends are the text again. The last one has no end, and may be empty. */
export function linesWithEnds(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(BREAK)) {
    lines.push({ text: text.slice(start, match.index), end: match[0] });
    start = match.index + match[0].length;
  }
  lines.push({ text: text.slice(start), end: '' });
  return lines;
}

/** The text with `\n` for every line break, a lone `\r` included. */
export function unixBreaks(text: string): string {
  return text.includes('\r') ? text.replaceAll(BREAK, '\n') : text;
}

/**
 * Tells the line break in use at a place of a text: the next one after it, else the one before it, else `\n`. Offsets are
 * to be asked for in ascending order, so that a long text is gone through once.
 */
export function breakFinder(text: string): (offset: number) => string {
  const sign = new RegExp(BREAK);
  let next: { readonly end: number; readonly sign: string } | undefined = { end: 0, sign: '' };
  return (offset) => {
    if (next !== undefined && next.end <= offset) {
      sign.lastIndex = isBetween(text, offset) ? offset - 1 : offset;
      const found = sign.exec(text);
      next = found === null ? undefined : { end: sign.lastIndex, sign: found[0] };
    }
    return next?.sign ?? lastBreak(text);
  };
}

function lastBreak(text: string): string {
  const at = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  if (at < 0) return '\n';
  return text.slice(isBetween(text, at) ? at - 1 : at, at + 1);
}

/** Whether the offset lies between the two characters of one line break. */
export function isBetween(text: string, offset: number): boolean {
  return text[offset - 1] === '\r' && text[offset] === '\n';
}

/** The numbers, counted from 1 as `read_file` counts them, of the lines that ascending offsets lie in. */
export function lineNumbersAt(text: string, offsets: readonly number[]): number[] {
  const sign = text.includes('\n') ? '\n' : '\r';
  let line = 1;
  let next = text.indexOf(sign);
  return offsets.map((offset) => {
    for (; next >= 0 && next < offset; next = text.indexOf(sign, next + 1)) line += 1;
    return line;
  });
}
