import { structuredPatch } from 'diff';
import type { DiffHunk, FileChange } from '../../../protocol/fileChange';
import { DIFF_CHARS, DIFF_EDIT_LINES, DIFF_HUNKS, DIFF_LINE_CHARS, DIFF_LINES } from '../../base/limits';
import { cutLine } from '../outputText';
import { linesOf, plainBreaks } from '../textFile';
import { commonEnds } from './commonEnds';
import { shownText } from './textCodec';

/** Lines that are shown around a changed place. */
const CONTEXT = 3;

/** A changed place with all of its lines, and nothing cut. */
type WholeHunk = Pick<DiffHunk, 'oldStart' | 'newStart'> & { readonly lines: string[] };

/** What becomes of a text, as it is shown. `before` undefined: there is no such file. */
export function describeChange(path: string, before: string | undefined, after: string): FileChange {
  const hunks = hunksBetween(shownLines(before ?? ''), shownLines(after));
  const { shown, leftOut } = withinLimits(hunks);
  return {
    path,
    kind: before === undefined ? 'created' : 'changed',
    added: countOf(hunks, '+'),
    removed: countOf(hunks, '-'),
    hunks: shown,
    hunksLeftOut: leftOut,
  };
}

/** Lines with what tells them apart: a `\r` that ends one is kept when the other text has none there. */
function shownLines(text: string): string[] {
  return linesOf(shownText(text.includes('\n') ? text : plainBreaks(text)));
}

/** Only what lies between the common beginning and end is compared: that makes a huge file cheap. */
function hunksBetween(before: readonly string[], after: readonly string[]): WholeHunk[] {
  const { start, end } = commonEnds(before, after);
  if (start === before.length && start === after.length) return [];
  const from = Math.max(0, start - CONTEXT);
  const oldPiece = before.slice(from, Math.min(before.length, before.length - end + CONTEXT));
  const newPiece = after.slice(from, Math.min(after.length, after.length - end + CONTEXT));
  const patch = structuredPatch('', '', closed(oldPiece), closed(newPiece), undefined, undefined, {
    context: CONTEXT,
    maxEditLength: DIFF_EDIT_LINES,
  });
  const hunks = patch?.hunks ?? [allAnew(oldPiece, newPiece, start - from, Math.min(end, CONTEXT))];
  return hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart: oldStart + from,
    newStart: newStart + from,
    lines: lines.filter((line) => !line.startsWith('\\')),
  }));
}

function closed(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Everything old, then everything new, for texts that have little in common. */
function allAnew(before: readonly string[], after: readonly string[], head: number, tail: number): WholeHunk {
  const marked = (sign: string, lines: readonly string[]): string[] => lines.map((line) => sign + line);
  return {
    oldStart: 1,
    newStart: 1,
    lines: [
      ...marked(' ', before.slice(0, head)),
      ...marked('-', before.slice(head, before.length - tail)),
      ...marked('+', after.slice(head, after.length - tail)),
      ...marked(' ', before.slice(before.length - tail)),
    ],
  };
}

/** As many places, lines and characters as are shown; a place that is cut counts as left out. */
function withinLimits(hunks: readonly WholeHunk[]): { readonly shown: DiffHunk[]; readonly leftOut: number } {
  const shown: DiffHunk[] = [];
  let lines = 0;
  let chars = 0;
  for (const hunk of hunks.slice(0, DIFF_HUNKS)) {
    const kept: string[] = [];
    for (const line of hunk.lines) {
      const cut = cutLine(line.replace(/\r$/, ''), DIFF_LINE_CHARS);
      lines += 1;
      chars += cut.length;
      if (lines > DIFF_LINES || chars > DIFF_CHARS) break;
      kept.push(cut);
    }
    if (kept.length > 0) shown.push({ ...hunk, lines: kept });
    if (kept.length < hunk.lines.length)
      return { shown, leftOut: hunks.length - shown.length + (kept.length > 0 ? 1 : 0) };
  }
  return { shown, leftOut: hunks.length - shown.length };
}

function countOf(hunks: readonly WholeHunk[], sign: string): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
}
