import { signal, type ReadonlySignal } from '@preact/signals';
import { FOLLOW_PX, OVERSCAN_PX } from '../limits';
import type { Anchor } from '../store/uiState';
import { firstVisible, movedBy, pieceAt, type Held } from './place';
import type { RowHeights } from './rowHeights';

/** Where the list is to go at the next drawing: to a row, or to a place within it. */
interface Target {
  readonly index: number;
  readonly place: Anchor | undefined;
}

/** Indexes of rows, both included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Where the list stands. Only here is it ever scrolled: to the end while it follows, else so that what the reader
 * looks at stays in its place, whatever comes, goes or grows above it. Written for this page: the usual library costs
 * a sixth of all that the page may weigh, and has to be kept from following when it should not.
 */
export class Scrolling {
  readonly heights: RowHeights;
  readonly #following = signal(true);
  readonly #away = signal(false);
  #scroller: HTMLElement | undefined;
  #redraw: () => void = () => undefined;
  #sizes: ResizeObserver | undefined;
  #drawn: RowRange = { from: 0, to: -1 };
  #target: Target | undefined;
  #held: Held | undefined;
  #pressing = false;
  #top = 0;
  #redraws = 0;

  constructor(heights: RowHeights) {
    this.heights = heights;
  }

  /** Whether the end stays in view when something is added. */
  get following(): ReadonlySignal<boolean> {
    return this.#following;
  }

  /** Whether the end is out of sight. */
  get away(): ReadonlySignal<boolean> {
    return this.#away;
  }

  /** Watches the reader and all sizes. `redraw`: other rows have come into view. The answer ends it. */
  attach(scroller: HTMLElement, redraw: () => void): () => void {
    this.#scroller = scroller;
    this.#redraw = redraw;
    const watching = new AbortController();
    const listen = { signal: watching.signal, passive: true };
    scroller.addEventListener('scroll', () => this.#scrolled(), listen);
    scroller.addEventListener('wheel', (event) => event.deltaY < 0 && this.#leave(), listen);
    scroller.addEventListener('touchmove', () => this.#leave(), listen);
    scroller.addEventListener('keydown', (event) => LEAVING_KEYS.has(event.key) && this.#leave(), listen);
    scroller.addEventListener('click', (event) => isControl(event.target) && this.#controlPressed(), listen);
    scroller.addEventListener('pointerdown', () => (this.#pressing = true), listen);
    addEventListener('pointerup', () => this.#released(), listen);
    addEventListener('pointercancel', () => this.#released(), listen);
    // A composer that grows makes the list smaller without a scroll event.
    this.#watchSize(scroller);
    return () => {
      watching.abort();
      this.#sizes?.disconnect();
      this.#sizes = undefined;
    };
  }

  /** A row has been drawn: its height is watched as long as it is there. */
  readonly watchRow = (row: HTMLElement): (() => void) => {
    // Rows are there before the list that holds them, so the first of them finds no observer yet.
    this.#watchSize(row);
    return () => this.#sizes?.unobserve(row);
  };

  /** The rows to draw now: those in view, and some beyond both edges. */
  range(): RowRange {
    const height = this.#scroller?.clientHeight ?? 0;
    const top = this.#topOfView(height);
    const from = this.heights.indexAt(top - OVERSCAN_PX);
    const to = this.heights.indexAt(top + height + OVERSCAN_PX);
    this.#drawn = { from, to };
    return this.#drawn;
  }

  /** Goes to the end, and stays there. */
  jump(): void {
    this.#target = undefined;
    this.#following.value = true;
    this.#redraw();
    this.settle();
  }

  /** Goes to a row, or to a place in it. */
  goTo(index: number, place?: Anchor): void {
    this.#following.value = false;
    this.#target = { index, place };
    this.#redraw();
  }

  /** After anything was drawn or has changed its size: back to where the list stands. */
  settle(): void {
    const scroller = this.#scroller;
    if (scroller === undefined) return;
    for (const row of scroller.querySelectorAll<HTMLElement>('[data-key]')) this.#measure(row);
    if (this.#target !== undefined) this.#reach(scroller, this.#target);
    else if (this.#following.value) {
      if (!this.#pressing && distance(scroller) > 0) scroller.scrollTop = scroller.scrollHeight;
    } else if (Math.abs(scroller.scrollTop - this.#top) > 1) {
      // The reader has scrolled and the event is yet to come: that must not be undone.
      this.#scrolled();
      return;
    } else if (this.#held?.piece.isConnected === true) {
      const moved = movedBy(scroller, this.#held);
      if (Math.abs(moved) >= 1) scroller.scrollTop += moved;
    }
    this.#note(scroller);
  }

  /** Scrolls no more than it takes to show `element`. */
  reveal(element: HTMLElement): void {
    element.scrollIntoView({ block: 'nearest' });
    this.#scrolled();
  }

  #watchSize(element: HTMLElement): void {
    this.#sizes ??= new ResizeObserver(() => this.settle());
    this.#sizes.observe(element);
  }

  #topOfView(height: number): number {
    if (this.#target !== undefined) return this.heights.topOf(this.#target.index);
    if (this.#following.value) return this.heights.total - height;
    // Rows may have come before it since it was seen, so its place is asked for anew.
    const held = this.#held === undefined ? undefined : this.heights.topOfKey(this.#held.key);
    return held === undefined ? (this.#scroller?.scrollTop ?? 0) : held + (this.#held?.inRow ?? 0);
  }

  #reach(scroller: HTMLElement, target: Target): void {
    const row = scroller.querySelector<HTMLElement>(`[data-index="${target.index}"]`);
    if (row === null) return;
    const piece = target.place === undefined ? undefined : pieceAt(row, target.place.seq);
    const edge = scroller.getBoundingClientRect().top;
    const top = (piece ?? row).getBoundingClientRect().top - edge;
    scroller.scrollTop += top + (piece === undefined ? 0 : (target.place?.offset ?? 0));
    this.#target = undefined;
  }

  /** Remembers where things are now, and draws again when the drawn rows do not reach far enough. */
  #note(scroller: HTMLElement): void {
    this.#top = scroller.scrollTop;
    this.#held = this.#following.value ? undefined : firstVisible(scroller);
    this.#away.value = distance(scroller) > FOLLOW_PX;
    const height = scroller.clientHeight;
    const from = this.heights.indexAt(scroller.scrollTop - OVERSCAN_PX / 2);
    const to = this.heights.indexAt(scroller.scrollTop + height + OVERSCAN_PX / 2);
    if ((from < this.#drawn.from || to > this.#drawn.to) && this.#mayRedraw()) this.#redraw();
  }

  /** Guesses that turn out wrong may take a few drawings, which all happen before the next paint: an end to that. */
  #mayRedraw(): boolean {
    if (this.#redraws === 0) requestAnimationFrame(() => (this.#redraws = 0));
    this.#redraws += 1;
    return this.#redraws <= REDRAWS_PER_FRAME;
  }

  #measure(row: HTMLElement): void {
    const key = row.dataset['key'];
    if (key !== undefined) this.heights.measured(key, row.getBoundingClientRect().height);
  }

  #leave(): void {
    const scroller = this.#scroller;
    if (scroller === undefined || scroller.scrollHeight <= scroller.clientHeight) return;
    this.#target = undefined;
    this.#stopFollowing(scroller);
  }

  #stopFollowing(scroller: HTMLElement): void {
    if (!this.#following.value) return;
    this.#following.value = false;
    this.#held = firstVisible(scroller);
  }

  #scrolled(): void {
    const scroller = this.#scroller;
    if (scroller === undefined) return;
    const near = distance(scroller) <= FOLLOW_PX;
    // Growth never moves up what is shown, so this was the reader.
    if (scroller.scrollTop < this.#top - 1 && !near) this.#following.value = false;
    else if (scroller.scrollTop > this.#top && near && !this.#pressing) this.#following.value = true;
    this.#note(scroller);
  }

  /** A control may make its row grow: the row stays under the pointer, and does not go up with the end. */
  #controlPressed(): void {
    const scroller = this.#scroller;
    if (scroller === undefined || !this.#following.value) return;
    this.#stopFollowing(scroller);
    requestAnimationFrame(() => {
      if (distance(scroller) <= 1) this.#following.value = true;
      this.settle();
    });
  }

  #released(): void {
    if (!this.#pressing) return;
    this.#pressing = false;
    const scroller = this.#scroller;
    const selection = getSelection();
    if (scroller === undefined) return;
    const anchor = selection?.anchorNode ?? null;
    if (selection?.isCollapsed === false && anchor !== null && scroller.contains(anchor)) this.#leave();
    else this.settle();
  }
}

const REDRAWS_PER_FRAME = 5;
const LEAVING_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

function distance(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button') !== null;
}
