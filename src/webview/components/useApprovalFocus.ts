import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PageStore } from '../store/pageStore';
import type { Row } from '../store/rows';
import type { Waiting } from '../store/waiting';
import type { Following } from './following';
import type { ListVirtualizer } from './useVirtualizer';

interface ApprovalFocus {
  readonly page: PageStore;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly virtualizer: ListVirtualizer;
  readonly following: Following;
  readonly rows: readonly Row[];
  /** Keeps a row drawn. */
  readonly keep: (key: string) => void;
}

/**
 * Brings a card into view and gives it the focus when that is wished for: by a key, by the run line, and by a card that
 * has just come while the person does nothing else on the page.
 */
export function useApprovalFocus({ page, scroller, virtualizer, following, rows, keep }: ApprovalFocus): void {
  const { permissions } = page;
  const seen = useRef(new Set<string>());
  const waiting = permissions.waiting.value;
  /** Answers whether the card is drawn. */
  const take = ({ request }: Waiting): boolean => {
    const card = cardOf(scroller.current, request.id);
    if (card === undefined) return false;
    card.focus({ preventScroll: true });
    // Not before the list has settled: it may go to its end by itself.
    requestAnimationFrame(() => {
      if (isInView(scroller.current, card, following.on.peek())) return;
      following.leave();
      card.scrollIntoView({ block: 'nearest' });
    });
    return true;
  };
  // Together with the card: a key that is pressed just then must not go to one thing before it and another after it.
  useLayoutEffect(() => {
    const fresh = waiting.find(({ request }) => !seen.current.has(request.id));
    for (const { request } of waiting) seen.current.add(request.id);
    if (fresh !== undefined && isIdle(page) && !take(fresh)) permissions.show(fresh);
  }, [page, permissions, waiting]);

  const wish = permissions.wish.value;
  useEffect(() => {
    if (wish === undefined) return;
    permissions.shown();
    if (take(wish)) return;
    const index = rows.findIndex((row) => row.kind === 'answer' && row.messages.some(({ seq }) => seq === wish.seq));
    const row = rows[index];
    if (row === undefined) return;
    keep(row.key);
    // It is not drawn before this frame is over.
    requestAnimationFrame(() => {
      if (!take(wish)) virtualizer.scrollToIndex(index, { align: 'end' });
    });
  });
}

/** Whether the focus may be taken: the page has it, nothing is being written, and nothing else is being used. */
function isIdle(page: PageStore): boolean {
  if (!document.hasFocus() || page.ui.draft.peek() !== '' || page.popup.peek() !== undefined) return false;
  if (page.images.here.peek().length > 0) return false;
  const active = document.activeElement;
  return active === null || active === document.body || active.closest('.composer > textarea') !== null;
}

function cardOf(scroller: HTMLElement | null, request: string): HTMLElement | undefined {
  const cards = scroller?.querySelectorAll<HTMLElement>('[data-request]') ?? [];
  return [...cards].find((card) => card.dataset['request'] === request);
}

/** Whether all of it can be seen, or, of one that is higher than the list, which keeps its end in view, its buttons. */
function isInView(scroller: HTMLElement | null, card: HTMLElement, follows: boolean): boolean {
  if (scroller === null) return false;
  const outer = scroller.getBoundingClientRect();
  const { top, bottom, height } = card.getBoundingClientRect();
  return bottom <= outer.bottom && (top >= outer.top || (follows && height > outer.height));
}
