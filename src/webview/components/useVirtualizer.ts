import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Which rows of a long list are drawn, and where: @tanstack/virtual-core, and what ties it to Preact. */
export type ListVirtualizer = Virtualizer<HTMLElement, HTMLElement>;

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;
type Tie = 'observeElementOffset' | 'observeElementRect' | 'onChange' | 'scrollToFn';

/** The virtualizer of the list that calls this. The list is drawn again when other rows come into view. */
export function useVirtualizer(options: Omit<Options, Tie>): ListVirtualizer {
  const [, setDrawings] = useState(0);
  const all: Options = {
    ...options,
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    onChange: () => setDrawings((count) => count + 1),
  };
  const [virtualizer] = useState(() => new Virtualizer(all));
  virtualizer.setOptions(all);
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = isAbove;
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

/**
 * Whether what is in view must be kept in its place when `row` gets another size. The library would not while the
 * reader scrolls up, and rows whose width has changed since they were measured would push the others down.
 */
function isAbove(row: VirtualItem, _: number, { itemSizeCache, scrollOffset }: ListVirtualizer): boolean {
  const top = scrollOffset ?? 0;
  return itemSizeCache.has(row.key) ? row.end <= top : row.start < top;
}

/** Draws the rows where `scroller` was just scrolled to in this frame: the browser tells of it at the next only. */
export function drawAtOnce(scroller: HTMLElement): void {
  scroller.dispatchEvent(new Event('scroll'));
}
