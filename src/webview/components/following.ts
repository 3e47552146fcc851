import { signal, type ReadonlySignal } from '@preact/signals';
import { FOLLOW_PX } from '../limits';
import { drawAtOnce, type ListVirtualizer } from './useVirtualizer';

/** Whether the list keeps its end in view when something is added. The reader turns it off and on. */
export class Following {
  readonly #on = signal(true);
  readonly #away = signal(false);
  #scroller: HTMLElement | undefined;
  #virtualizer: ListVirtualizer | undefined;
  #pressing = false;
  /** Where the list stood: its `scrollTop`, the px to its end, and the height of its visible part. */
  #top = 0;
  #left = 0;
  #height = 0;

  get on(): ReadonlySignal<boolean> {
    return this.#on;
  }

  /** Whether the end is out of sight. */
  get away(): ReadonlySignal<boolean> {
    return this.#away;
  }

  /** Watches a list and its reader. The answer ends it. */
  attach(scroller: HTMLElement, virtualizer: ListVirtualizer, on: boolean): () => void {
    this.#scroller = scroller;
    this.#virtualizer = virtualizer;
    this.#on.value = on;
    const watching = new AbortController();
    const listen = { signal: watching.signal, passive: true };
    const press = (pressing: boolean): void => {
      this.#pressing = pressing;
      this.settle();
    };
    // Before the virtualizer hears of it and draws, which would go back to the end.
    scroller.addEventListener('scroll', () => this.#scrolled(), { ...listen, capture: true });
    scroller.addEventListener('wheel', (event) => event.deltaY < 0 && this.leave(), listen);
    scroller.addEventListener('touchmove', () => this.leave(), listen);
    scroller.addEventListener('keydown', (event) => LEAVING_KEYS.has(event.key) && this.leave(), listen);
    scroller.addEventListener('click', (event) => this.#clicked(event.target), { ...listen, capture: true });
    scroller.addEventListener('pointerdown', () => press(true), listen);
    addEventListener('pointerup', () => press(false), listen);
    addEventListener('pointercancel', () => press(false), listen);
    // What grows is added to the list; a composer that grows makes the visible part smaller.
    const sizes = new ResizeObserver(() => this.settle());
    for (const element of [scroller, ...scroller.children]) sizes.observe(element);
    this.settle();
    drawAtOnce(scroller);
    return () => {
      watching.abort();
      sizes.disconnect();
    };
  }

  /** Goes to the end, and stays there. */
  jump(): void {
    this.#on.value = true;
    this.settle();
  }

  /** The reader looks at something else than the end. */
  leave(): void {
    const scroller = this.#scroller;
    if (scroller !== undefined && scroller.scrollHeight > scroller.clientHeight) this.#stop();
  }

  #stop(): void {
    this.#on.value = false;
    this.#virtualizer?.cancelScroll();
  }

  /** After anything has changed: goes to the end, but not while a pointer is down: what is pressed must not move away. */
  settle(): void {
    if (this.#on.value && !this.#pressing) this.#virtualizer?.scrollToEnd();
    this.#note();
  }

  #scrolled(): void {
    const left = distance(this.#scroller);
    const up = (this.#scroller?.scrollTop ?? 0) < this.#top - 1;
    // What stands below the list came or went, which moves the list, and not the reader.
    const resized = this.#scroller?.clientHeight !== this.#height;
    // What grows moves the end away, and what is put above moves the place; only the reader does this.
    if (left <= FOLLOW_PX && left < this.#left) this.#on.value = true;
    else if (left > FOLLOW_PX && up && !resized) this.#on.value = false;
    this.#note();
  }

  #note(): void {
    this.#top = this.#scroller?.scrollTop ?? 0;
    this.#left = distance(this.#scroller);
    this.#height = this.#scroller?.clientHeight ?? 0;
    this.#away.value = this.#left > FOLLOW_PX;
  }

  /** A control may make its row grow: it stays under the pointer, and does not go up with the end. */
  #clicked(target: EventTarget | null): void {
    if (!(target instanceof Element) || target.closest('button') === null) return;
    this.#stop();
    requestAnimationFrame(() => {
      if (distance(this.#scroller) <= 1) this.jump();
    });
  }
}

const LEAVING_KEYS: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

function distance(scroller: HTMLElement | undefined): number {
  return scroller === undefined ? 0 : scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
}
