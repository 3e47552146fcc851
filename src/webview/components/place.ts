import type { Anchor } from '../store/uiState';

/** The place of the reader: so far below the top of the first message that reaches into the visible part. */
export function placeOf(scroller: HTMLElement): Anchor | undefined {
  const edge = scroller.getBoundingClientRect().top;
  const pieces = [...scroller.querySelectorAll<HTMLElement>('[data-seq]')];
  const seen = pieces.find((piece) => piece.getBoundingClientRect().bottom > edge);
  const first = pieces.find((piece) => seqOf(piece) === seqOf(seen));
  if (first === undefined) return undefined;
  return { seq: seqOf(first), offset: Math.round(edge - first.getBoundingClientRect().top) };
}

/** How far a place in `row` is below the top of the visible part. */
export function topOfPlace(scroller: HTMLElement, row: HTMLElement, place: Anchor): number {
  const pieces = [row, ...row.querySelectorAll<HTMLElement>('[data-seq]')];
  // Calls of several messages are one piece, at the place of the first.
  const last = pieces.findLast((piece) => seqOf(piece) <= place.seq);
  const first = pieces.find((piece) => seqOf(piece) === seqOf(last)) ?? row;
  return first.getBoundingClientRect().top - scroller.getBoundingClientRect().top + place.offset;
}

function seqOf(piece: HTMLElement | undefined): number {
  return Number(piece?.dataset['seq']);
}
