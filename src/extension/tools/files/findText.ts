import { indentOf, reindentBy, type Reindent } from './indentation';
import { isBetween, linesWithEnds, unixBreaks, type Line } from './lineBreaks';

/** Where a text stands in a file. Offsets are UTF-16 units; the end is behind the last of them. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly reindent: Reindent;
}

/**
 * How alike what was found is: the same but for line breaks, but for white space at line ends, or but for the
 * indentation, which differs in the same way everywhere.
 */
export type Likeness = 'same' | 'line_ends' | 'indentation';

/** All places of the strictest likeness that has any. */
export interface FoundPlaces {
  readonly likeness: Likeness;
  readonly places: readonly Found[];
}

/** What the model knows: the text to find, and the one that goes there, whose indentation tells what its steps are. */
export interface Sought {
  readonly oldText: string;
  readonly newText: string;
  /** Whether every place is meant. Otherwise one that is there to the letter goes before those with other line breaks. */
  readonly all: boolean;
}

/** Finds a text that is not empty, as written if it is there, and with what models get wrong otherwise. */
export function findText(text: string, sought: Sought): FoundPlaces {
  const exactly = sought.all ? [] : findSame(text, text, sought.oldText, (offset) => offset);
  if (exactly.length === 1) return { likeness: 'same', places: exactly };
  const { plain, offsetOf } = withUnixBreaks(text);
  const same = findSame(text, plain, unixBreaks(sought.oldText), offsetOf);
  if (same.length > 0) return { likeness: 'same', places: same };
  const byLineEnds = findLines(text, sought, (there, written) => there.trimEnd() === written.trimEnd());
  if (byLineEnds.length > 0) return { likeness: 'line_ends', places: byLineEnds };
  return {
    likeness: 'indentation',
    places: findLines(text, sought, (there, written) => there.trim() === written.trim()),
  };
}

const asItIs: Reindent = (indent) => indent;

/** Places of `wanted` in `searched`, which do not overlap and tear no line break of `text` apart. */
function findSame(text: string, searched: string, wanted: string, offsetOf: (offset: number) => number): Found[] {
  const places: Found[] = [];
  for (let at = searched.indexOf(wanted); at >= 0;) {
    const start = offsetOf(at);
    const end = offsetOf(at + wanted.length);
    const whole = !isBetween(text, start) && !isBetween(text, end);
    if (whole) places.push({ start, end, reindent: asItIs });
    at = searched.indexOf(wanted, whole ? at + wanted.length : at + 1);
  }
  return places;
}

/** The text with `\n` for its line breaks, and where in the text an offset of that is. */
function withUnixBreaks(text: string): { readonly plain: string; readonly offsetOf: (offset: number) => number } {
  const plain = unixBreaks(text);
  if (plain.length === text.length) return { plain, offsetOf: (offset) => offset };
  /** Offsets in `plain` of the breaks that are two characters in the text. */
  const doubled: number[] = [];
  for (const match of text.matchAll(/\r\n/g)) doubled.push(match.index - doubled.length);
  return { plain, offsetOf: (offset) => offset + countBelow(doubled, offset) };
}

/** How many of the ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places where whole lines are alike, line for line. Lines of white space alone are not looked for. */
function findLines(text: string, sought: Sought, alike: (there: string, written: string) => boolean): Found[] {
  const wanted = unixBreaks(sought.oldText).split('\n');
  const closed = wanted.length > 1 && wanted.at(-1) === '';
  if (closed) wanted.pop();
  const [firstWanted = ''] = wanted;
  if (wanted.every((line) => line.trim() === '')) return [];
  const writtenIndents = indentsOf([...wanted, ...unixBreaks(sought.newText).split('\n')]);
  const lines = linesWithEnds(text);
  const places: Found[] = [];
  let start = 0;
  for (let index = 0; index + wanted.length <= lines.length;) {
    const there = lines.slice(index, alike(lines[index]?.text ?? '', firstWanted) ? index + wanted.length : index);
    const reindent = there.length === 0 ? undefined : likeLines(there, wanted, writtenIndents, alike);
    const taken = reindent === undefined ? lines.slice(index, index + 1) : there;
    const length = lengthOf(taken);
    if (reindent !== undefined) {
      const end = start + length - (closed ? 0 : (taken.at(-1)?.end.length ?? 0));
      places.push({ start, end, reindent });
    }
    start += length;
    index += taken.length;
  }
  return places;
}

function likeLines(
  there: readonly Line[],
  wanted: readonly string[],
  writtenIndents: readonly string[],
  alike: (there: string, written: string) => boolean,
): Reindent | undefined {
  if (!there.every((line, index) => alike(line.text, wanted[index] ?? ''))) return undefined;
  const pairs = there.flatMap(({ text }, index) =>
    text.trim() === '' ? [] : [{ written: indentOf(wanted[index] ?? ''), there: indentOf(text) }],
  );
  return reindentBy(pairs, writtenIndents);
}

function indentsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '').map(indentOf);
}

function lengthOf(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + line.text.length + line.end.length, 0);
}
