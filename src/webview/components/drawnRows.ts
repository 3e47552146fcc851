import type { RowRange } from './scrolling';

/** A row that is drawn, and the room of those before it that are not. */
export interface DrawnRow {
  readonly index: number;
  readonly gap: number;
}

/** Rows of a selection stay drawn, but not more than so many: else selecting all would draw everything. */
const SELECTED_ROWS = 200;

/**
 * The rows in view, and those that must not go away: the one with the focus, and those between the ends of a
 * selection. They stand in the flow, so that one that grows pushes the next before anything is measured.
 */
export function drawnRows(
  count: number,
  view: RowRange,
  kept: readonly (RowRange | undefined)[],
  topOf: (index: number) => number,
): { readonly rows: readonly DrawnRow[]; readonly after: number } {
  const indexes = new Set<number>();
  for (const range of [view, ...kept]) {
    if (range === undefined) continue;
    const to = Math.min(range.to, count - 1, range.from + SELECTED_ROWS);
    for (let index = Math.max(0, range.from); index <= to; index += 1) indexes.add(index);
  }
  let end = 0;
  const rows = [...indexes]
    .toSorted((a, b) => a - b)
    .map((index) => {
      const gap = topOf(index) - topOf(end);
      end = index + 1;
      return { index, gap };
    });
  return { rows, after: topOf(count) - topOf(end) };
}
