import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * When what has the focus goes from `place`, the place itself takes it: a person who works by keys is not thrown back to
 * the start of the page. Not the next button there, which a second press would press.
 */
export function useKeptFocus(place: RefObject<HTMLElement | null>): void {
  // Before the change is drawn.
  const held = place.current?.contains(document.activeElement) === true;
  useLayoutEffect(() => {
    // What has been given the focus meanwhile keeps it.
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (held && lost) place.current?.focus({ preventScroll: true });
  });
}
