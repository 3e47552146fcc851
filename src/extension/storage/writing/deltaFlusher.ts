import type { Clock } from '../../base/clock';
import { DELTA_FLUSH_CHARS, DELTA_FLUSH_MS } from '../../base/limits';
import type { Change } from '../change';

interface Growing {
  readonly seq: number;
  readonly idx: number;
  chunk: number;
  /** UTF-16 offset in the part at which `text` starts. */
  at: number;
  text: string;
}

/**
 * Collects the streamed text of the part that grows now and hands it to the writer every 50 ms or 2 KB. When the part
 * ends, the whole part is written instead and its chunks are dropped: call {@link partEnded} then.
 */
export class DeltaFlusher {
  readonly #write: (change: Change) => void;
  readonly #clock: Clock;
  #growing: Growing | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(write: (change: Change) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  push(seq: number, idx: number, at: number, text: string): void {
    if (this.#growing?.seq !== seq || this.#growing.idx !== idx) {
      this.flush();
      this.#growing = { seq, idx, chunk: 0, at, text: '' };
    }
    this.#growing.text += text;
    if (this.#growing.text.length >= DELTA_FLUSH_CHARS) this.flush();
    else this.#cancelTimer ??= this.#clock.after(DELTA_FLUSH_MS, () => this.flush());
  }

  /** Hands over what is left now. */
  flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const growing = this.#growing;
    if (growing === undefined || growing.text === '') return;
    const { seq, idx, chunk, at, text } = growing;
    this.#write({ type: 'delta', seq, idx, chunk, at, text });
    growing.chunk += 1;
    growing.at += text.length;
    growing.text = '';
  }

  /** The part is written whole by somebody else: what is left of it here is part of that. */
  partEnded(seq: number, idx: number): void {
    if (this.#growing?.seq !== seq || this.#growing.idx !== idx) return;
    this.#growing = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
