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

/** The line break in use at a place of a text: the next one after it, else the one before it, else `\n`. */
export function breakAt(text: string, offset: number): string {
  const following = /\r\n|\r|\n/.exec(text.slice(isBetween(text, offset) ? offset - 1 : offset));
  if (following !== null) return following[0];
  return /(\r\n|\r|\n)[^\r\n]*$/.exec(text.slice(0, offset))?.[1] ?? '\n';
}

/** Whether the offset lies between the two characters of one line break. */
export function isBetween(text: string, offset: number): boolean {
  return text[offset - 1] === '\r' && text[offset] === '\n';
}

/** The number, counted from 1, of the line that an offset lies in, as `read_file` counts them. */
export function lineNumberAt(text: string, offset: number): number {
  const sign = text.includes('\n') ? '\n' : '\r';
  let line = 1;
  for (let at = text.indexOf(sign); at >= 0 && at < offset; at = text.indexOf(sign, at + 1)) line += 1;
  return line;
}
