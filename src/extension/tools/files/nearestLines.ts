import { EDIT_NEAREST_LINES, SEARCH_LINE_CHARS } from '../../base/limits';
import { cutLine } from '../outputText';
import { linesOf, plainBreaks } from '../textFile';
import { unixBreaks } from './lineBreaks';

/** Share of the words of a line that another has to have to be like it. */
const ALIKE = 0.5;
/** Lines that are the same as many others tell nothing about a place. */
const COMMON = 50;

/** The lines of a text that are most like a text that is not in it, with their numbers; undefined: none is. */
export function nearestLines(text: string, sought: string): string | undefined {
  const lines = linesOf(plainBreaks(text));
  const wanted = unixBreaks(sought).split('\n');
  const start = mostLinesInPlace(lines, wanted) ?? likestLine(lines, wanted);
  if (start === undefined) return undefined;
  const first = Math.max(0, start);
  const count = Math.min(wanted.length, EDIT_NEAREST_LINES);
  return lines
    .slice(first, first + count)
    .map((line, index) => `${first + index + 1}: ${cutLine(line, SEARCH_LINE_CHARS)}`)
    .join('\n');
}

/** Index of the line at which the wanted ones would begin for the most of them to be where they are wanted. */
function mostLinesInPlace(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const indexes = new Map<string, number[]>(wanted.map((line) => [line.trim(), []]));
  for (const [index, line] of lines.entries()) {
    const known = indexes.get(line.trim());
    if (known !== undefined && known.length <= COMMON) known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [offset, line] of wanted.entries()) {
    const key = line.trim();
    const found = indexes.get(key) ?? [];
    if (!/\p{L}|\p{N}/u.test(key) || found.length > COMMON) continue;
    for (const index of found) votes.set(index - offset, (votes.get(index - offset) ?? 0) + 1);
  }
  return bestOf(votes);
}

/** Index of the line at which the wanted ones would begin for their longest to be at the one that is most like it. */
function likestLine(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce((one, other) => (other.length > one.length ? other : one), '');
  const words = new Set(wordsOf(longest));
  const least = ALIKE * words.size;
  const scores = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    // Taking a line apart costs most: one that has not even the letters of the words is not.
    if (!hasLetters(line, words, least)) continue;
    const others = new Set(wordsOf(line));
    const shared = [...words].filter((word) => others.has(word)).length;
    const share = shared / Math.max(words.size, others.size, 1);
    if (share >= ALIKE) scores.set(index - wanted.indexOf(longest), share);
  }
  return bestOf(scores);
}

/** Whether at least so many of the words stand in the line, be it within others. */
function hasLetters(line: string, words: ReadonlySet<string>, least: number): boolean {
  let count = 0;
  for (const word of words) {
    if (line.includes(word)) count += 1;
    if (count >= least) return true;
  }
  return false;
}

function bestOf(scores: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  for (const [key, score] of scores) if (best === undefined || score > (scores.get(best) ?? 0)) best = key;
  return best;
}

function wordsOf(line: string): readonly string[] {
  return line.slice(0, SEARCH_LINE_CHARS).match(/[\p{L}\p{N}_]+/gu) ?? [];
}
