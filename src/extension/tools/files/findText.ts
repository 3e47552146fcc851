import { EDIT_ALIKE_CHARS, EDIT_PLACES_REPLACED } from '../../base/limits';
import { indentOf, reindentBy, type IndentPair, type Reindent } from './indentation';
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

/** All places of the strictest likeness that has any; of more than `EDIT_PLACES_REPLACED`, the first and one more. */
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

/** Finds a text that is not empty, as written if it is there, and with what models get wrong otherwise; in long texts as written only. */
export function findText(text: string, sought: Sought): FoundPlaces {
  const exactly = sought.all ? [] : findSame(text, text, sought.oldText, (offset) => offset);
  if (exactly.length === 1) return { likeness: 'same', places: exactly };
  const { plain, offsetOf } = withUnixBreaks(text);
  const same = findSame(text, plain, unixBreaks(sought.oldText), offsetOf);
  // The rest takes a text apart into lines, and nothing else happens in the window meanwhile.
  if (same.length > 0 || text.length > EDIT_ALIKE_CHARS) return { likeness: 'same', places: same };
  const lines = linesWithEnds(text);
  const byLineEnds = findLines(lines, sought, (line) => line.trimEnd());
  if (byLineEnds.length > 0) return { likeness: 'line_ends', places: byLineEnds };
  return { likeness: 'indentation', places: findLines(lines, sought, (line) => line.trim()) };
}

const asItIs: Reindent = (indent) => indent;

/** Places of `wanted` in `searched`, which do not overlap and tear no line break of `text` apart. */
function findSame(text: string, searched: string, wanted: string, offsetOf: (offset: number) => number): Found[] {
  const places: Found[] = [];
  for (let at = searched.indexOf(wanted); at >= 0 && places.length <= EDIT_PLACES_REPLACED;) {
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

/** Places where whole lines are the same once trimmed, line for line. Lines of white space alone are not looked for. */
function findLines(lines: readonly Line[], sought: Sought, trimmed: (line: string) => string): Found[] {
  const wanted = unixBreaks(sought.oldText).split('\n');
  const closed = wanted.length > 1 && wanted.at(-1) === '';
  if (closed) wanted.pop();
  if (wanted.every((line) => line.trim() === '')) return [];
  const writtenIndents = indentsOf([...wanted, ...unixBreaks(sought.newText).split('\n')]);
  const places: Found[] = [];
  let start = 0;
  let index = 0;
  const goTo = (line: number): void => {
    for (; index < line; index += 1) start += lengthOf(lines[index]);
  };
  for (const found of lineRuns(lines, wanted, trimmed)) {
    if (places.length > EDIT_PLACES_REPLACED) break;
    // It begins within the one before.
    if (found < index) continue;
    const there = lines.slice(found, found + wanted.length);
    const reindent = reindentBy(indentPairs(there, wanted), writtenIndents);
    if (reindent === undefined) continue;
    goTo(found);
    const from = start;
    goTo(found + wanted.length);
    places.push({ start: from, end: start - (closed ? 0 : (there.at(-1)?.end.length ?? 0)), reindent });
  }
  return places;
}

/** Whether whole lines of the text are these but for white space around each; line breaks are `\n`. */
export function hasLines(text: string, wanted: string): boolean {
  const trimmed = (line: string): string => line.trim();
  return framed(unixBreaks(text).split('\n').map(trimmed)).includes(framed(wanted.split('\n').map(trimmed)));
}

/** Indexes of the lines from which on all wanted ones follow. Searching one long text is what makes huge files cheap. */
function* lineRuns(
  lines: readonly Line[],
  wanted: readonly string[],
  trimmed: (line: string) => string,
): Generator<number> {
  const searched = framed(lines.map(({ text }) => trimmed(text)));
  const sought = framed(wanted.map(trimmed));
  let index = 0;
  let counted = 0;
  for (let at = searched.indexOf(sought); at >= 0; at = searched.indexOf(sought, at + 1)) {
    for (; counted < at; counted = searched.indexOf('\n', counted + 1)) index += 1;
    yield index;
  }
}

/** Lines with a break before and behind each of them. */
function framed(lines: readonly string[]): string {
  return `\n${lines.join('\n')}\n`;
}

function indentPairs(there: readonly Line[], wanted: readonly string[]): IndentPair[] {
  return there.flatMap(({ text }, index) =>
    text.trim() === '' ? [] : [{ written: indentOf(wanted[index] ?? ''), there: indentOf(text) }],
  );
}

function indentsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '').map(indentOf);
}

function lengthOf(line: Line | undefined): number {
  return line === undefined ? 0 : line.text.length + line.end.length;
}
