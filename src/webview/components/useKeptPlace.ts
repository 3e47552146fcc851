import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { PLACE_MS, STATE_WRITE_MS } from '../limits';
import type { PageStore } from '../store/pageStore';
import type { Row } from '../store/rows';
import type { Anchor } from '../store/uiState';
import type { Following } from './following';
import { placeOf, topOfPlace } from './place';
import { drawAtOnce, type ListVirtualizer } from './useVirtualizer';

interface KeptPlace {
  readonly page: PageStore;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: ListVirtualizer;
  readonly following: Following;
  readonly rows: readonly Row[];
}

/** Brings the reader back to where they were in this conversation, and keeps in mind where they go. */
export function useKeptPlace({ page, scroller, virtualizer, following, rows }: KeptPlace): void {
  const wanted = useRef<{ readonly anchor: Anchor; readonly until: number }>(undefined);
  useLayoutEffect(() => {
    const anchor = page.ui.anchor;
    wanted.current = anchor === undefined ? undefined : { anchor, until: performance.now() + PLACE_MS };
  }, [page]);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (wanted.current === undefined || element === null) return;
    const { anchor, until } = wanted.current;
    const index = rows.findLastIndex((row) => firstSeq(row) <= anchor.seq);
    // It is in a page that is not loaded yet.
    const later = index < 0 && page.live.value?.transcript.hasOlder === true && performance.now() < until;
    if (later) return page.loadOlder();
    const row = element.querySelector<HTMLElement>(`[data-index="${index}"]`);
    if (index >= 0 && row === null) {
      virtualizer.scrollToIndex(index, { align: 'start' });
      return drawAtOnce(element);
    }
    if (row !== null) virtualizer.scrollBy(topOfPlace(element, row, anchor));
    wanted.current = undefined;
  });

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (wanted.current === undefined) page.ui.setAnchor(following.on.value ? undefined : placeOf(element));
      }, STATE_WRITE_MS);
    };
    const takeOver = (): void => {
      wanted.current = undefined;
    };
    const taking = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const;
    element.addEventListener('scroll', note, { passive: true });
    for (const event of taking) element.addEventListener(event, takeOver, { passive: true });
    return () => {
      element.removeEventListener('scroll', note);
      for (const event of taking) element.removeEventListener(event, takeOver);
      clearTimeout(timer);
    };
  }, [page, scroller, following]);
}

function firstSeq(row: Row): number {
  switch (row.kind) {
    case 'user':
    case 'notice':
      return row.message.seq;
    case 'answer':
      return row.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
    case 'pending':
    case 'run':
      return Number.POSITIVE_INFINITY;
  }
}
