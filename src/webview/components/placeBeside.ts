import type { RefObject } from 'preact';

/** Room (px) between a menu and what it belongs to, and at least to the edge of the page. */
const GAP_PX = 4;
const EDGE_PX = 8;

/** Keeps a menu below its opener, or above it where there is more room, while what lies under it scrolls. The answer ends it. */
export function placeBeside(menu: RefObject<HTMLElement | null>, opener: RefObject<HTMLElement | null>): () => void {
  const place = (): void => {
    if (menu.current === null || opener.current === null) return;
    const { top, bottom, right } = opener.current.getBoundingClientRect();
    const { style, offsetWidth, offsetHeight } = menu.current;
    const below = innerHeight - bottom >= offsetHeight + GAP_PX + EDGE_PX || top < innerHeight - bottom;
    const left = Math.min(right - offsetWidth, innerWidth - offsetWidth - EDGE_PX);
    style.position = 'fixed';
    style.left = `${Math.max(EDGE_PX, left)}px`;
    style.right = 'auto';
    style.bottom = 'auto';
    style.top = `${Math.max(EDGE_PX, below ? bottom + GAP_PX : top - GAP_PX - offsetHeight)}px`;
  };
  place();
  const listening = new AbortController();
  addEventListener('scroll', place, { capture: true, passive: true, signal: listening.signal });
  addEventListener('resize', place, { passive: true, signal: listening.signal });
  return () => listening.abort();
}
