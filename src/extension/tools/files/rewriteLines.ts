import { keptLines } from './keepLines';
import { linesWithEnds, unixBreaks } from './lineBreaks';

/** A piece of a file and what a model wrote of it: `oldText` is what stands there, line for line, as the model saw it. */
export interface Rewriting {
  /** As it stands in the file. */
  readonly piece: string;
  readonly oldText: string;
  readonly newText: string;
  /** The line break for lines that have none to go by. */
  readonly lineBreak: string;
  /** How a line of the model looks in the file. */
  readonly adjust: (line: string) => string;
}

/**
 * What the piece becomes. Lines that the model left as they are stay as they stand in the file, with their ends and with
 * what the model was not shown of them; new ones get the ends of those that they replace.
 */
export function rewrittenLines({ piece, oldText, newText, lineBreak, adjust }: Rewriting): string {
  const there = linesWithEnds(piece);
  const before = unixBreaks(oldText).split('\n');
  const after = unixBreaks(newText).split('\n');
  const usual = there.find(({ end }) => end !== '')?.end ?? lineBreak;
  const pieces: string[] = [];
  let old = 0;
  for (const [index, kept] of keptLines(before, after).entries()) {
    const line = there[kept ?? old];
    pieces.push((kept === undefined ? undefined : line?.text) ?? adjust(after[index] ?? ''));
    if (index < after.length - 1) pieces.push(line === undefined || line.end === '' ? usual : line.end);
    old = kept === undefined ? Math.min(old + 1, there.length) : kept + 1;
  }
  return pieces.join('');
}
