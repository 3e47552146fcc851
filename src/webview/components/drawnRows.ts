import { defaultRangeExtractor, type Range } from '@tanstack/virtual-core';

/** Indexes of rows, both included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Rows of a selection stay drawn, but not more than so many: else selecting all would draw everything. */
const SELECTED_ROWS = 200;

/** The rows near the view, and those that must not go away: the one with the focus, and those of a selection. */
export function drawnRows(view: Range, kept: readonly (RowRange | undefined)[]): number[] {
  const indexes = new Set(defaultRangeExtractor(view));
  for (const range of kept) {
    if (range === undefined) continue;
    const to = Math.min(range.to, view.count - 1, range.from + SELECTED_ROWS);
    for (let index = range.from; index <= to; index += 1) indexes.add(index);
  }
  return [...indexes].toSorted((a, b) => a - b);
}
