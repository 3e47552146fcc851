import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { usePage } from './context';

/** Tells whether something of the card can be seen; at first it is taken to be. */
export function useCardSight(card: RefObject<HTMLElement | null>, request: string): void {
  const { permissions } = usePage();
  useEffect(() => {
    permissions.setInSight(request, true);
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      if (last !== undefined) permissions.setInSight(request, last.isIntersecting);
    });
    if (card.current !== null) observer.observe(card.current);
    return () => {
      observer.disconnect();
      permissions.setInSight(request, false);
    };
  }, [permissions, card, request]);
}

/** A card that goes with the focus in it gives the focus to the next one that waits, or to where messages are written. */
export function useCardFocus(card: RefObject<HTMLElement | null>): void {
  const page = usePage();
  useLayoutEffect(
    () => () => {
      if (card.current?.contains(document.activeElement) !== true) return;
      if (!page.permissions.step(1, undefined)) page.focusComposer();
    },
    [page, card],
  );
}
