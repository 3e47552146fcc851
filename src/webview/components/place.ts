import type { Anchor } from '../store/uiState';

/** A piece of the transcript and where it stands, in px below the top of the visible part. */
export interface Held {
  readonly piece: HTMLElement;
  readonly top: number;
  /** The row it stands in, and how far the visible part begins below the top of that. */
  readonly key: string;
  readonly inRow: number;
}

/** The first piece of a message that reaches into the visible part. */
export function firstVisible(scroller: HTMLElement): Held | undefined {
  const edge = scroller.getBoundingClientRect().top;
  for (const piece of scroller.querySelectorAll<HTMLElement>('[data-seq]')) {
    const { top, bottom } = piece.getBoundingClientRect();
    const row = piece.closest<HTMLElement>('[data-key]');
    if (bottom <= edge || row === null) continue;
    return { piece, top: top - edge, key: row.dataset['key'] ?? '', inRow: edge - row.getBoundingClientRect().top };
  }
  return undefined;
}

/** How far `held` has moved down since. */
export function movedBy(scroller: HTMLElement, held: Held): number {
  return held.piece.getBoundingClientRect().top - scroller.getBoundingClientRect().top - held.top;
}

/** The place of the reader, as it is kept. */
export function anchorOf(scroller: HTMLElement): Anchor | undefined {
  const held = firstVisible(scroller);
  return held === undefined ? undefined : { seq: Number(held.piece.dataset['seq']), offset: Math.round(-held.top) };
}

/** The piece that a kept place speaks of, if it is drawn. */
export function pieceAt(scroller: HTMLElement, seq: number): HTMLElement | undefined {
  const pieces = [...scroller.querySelectorAll<HTMLElement>('[data-seq]')];
  // Calls of several messages are one piece, at the place of the first.
  return pieces.findLast((piece) => Number(piece.dataset['seq']) <= seq && Number(piece.dataset['seq']) >= 0);
}
