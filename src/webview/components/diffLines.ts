import type { DiffHunk, FileChange } from '../../protocol/fileChange';

/** A line of a change as it is drawn. `number`: in the file afterwards; a line that is taken out has none. */
export interface DiffLine {
  readonly kind: 'same' | 'add' | 'del';
  readonly number: number | undefined;
  readonly text: string;
}

/** The beginning of a change that is too long to be shown at once. */
export interface Excerpt {
  readonly hunks: readonly DiffHunk[];
  readonly lines: number;
  readonly allLines: number;
  readonly changes: number;
  readonly allChanges: number;
}

/** So many unchanged lines stand around a changed place of an excerpt. */
const CONTEXT_LINES = 1;

/** The first changed places, with less around them, up to so many lines. */
export function excerptOf(change: FileChange, maxLines: number): Excerpt {
  const all = change.hunks.map(withLessAround);
  const hunks: DiffHunk[] = [];
  let lines = 0;
  for (const hunk of all) {
    // Half of a change says less than none, unless it is the only one.
    if (lines > 0 && lines + hunk.lines.length > maxLines) break;
    const shown = hunk.lines.slice(0, maxLines - lines);
    lines += shown.length;
    hunks.push({ ...hunk, lines: shown });
  }
  return {
    hunks,
    lines,
    allLines: all.reduce((sum, hunk) => sum + hunk.lines.length, 0),
    changes: hunks.length,
    allChanges: all.length + change.hunksLeftOut,
  };
}

/** The lines of a changed place, with their numbers. */
export function linesOf(hunk: DiffHunk): readonly DiffLine[] {
  let number = hunk.newStart;
  return hunk.lines.map((line) => {
    const sign = line.charAt(0);
    const kind = sign === '+' ? 'add' : sign === '-' ? 'del' : 'same';
    const text = line.slice(1);
    if (kind === 'del') return { kind, number: undefined, text };
    number += 1;
    return { kind, number: number - 1, text };
  });
}

function withLessAround(hunk: DiffHunk): DiffHunk {
  const changed = (line: string): boolean => !line.startsWith(' ');
  const first = hunk.lines.findIndex(changed);
  const from = Math.max(0, first - CONTEXT_LINES);
  const to = hunk.lines.findLastIndex(changed) + 1 + CONTEXT_LINES;
  return first < 0
    ? hunk
    : { oldStart: hunk.oldStart + from, newStart: hunk.newStart + from, lines: hunk.lines.slice(from, to) };
}
