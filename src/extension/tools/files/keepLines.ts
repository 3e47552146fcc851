import { diffArrays } from 'diff';
import { DIFF_EDIT_LINES } from '../../base/limits';
import { commonEnds } from './commonEnds';

/**
 * For every line of the new text, which line of the old one it is; undefined: it is new. The order is that of the old
 * lines. When the texts differ much, only their common beginning and end is looked for.
 */
export function keptLines(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const { start, end } = commonEnds(before, after);
  const oldMiddle = before.slice(start, before.length - end);
  const newMiddle = after.slice(start, after.length - end);
  const kept: (number | undefined)[] = [];
  for (let index = 0; index < start; index += 1) kept.push(index);
  kept.push(...keptInMiddle(oldMiddle, newMiddle).map((index) => (index === undefined ? undefined : start + index)));
  for (let index = end; index > 0; index -= 1) kept.push(before.length - index);
  return kept;
}

function keptInMiddle(before: string[], after: string[]): (number | undefined)[] {
  const changes = diffArrays(before, after, { maxEditLength: DIFF_EDIT_LINES });
  if (changes === undefined) return after.map(() => undefined);
  let old = 0;
  return changes.flatMap(({ count, added, removed }) => {
    if (added) return Array.from({ length: count }, () => undefined);
    const first = old;
    old += count;
    return removed ? [] : Array.from({ length: count }, (_, index) => first + index);
  });
}
