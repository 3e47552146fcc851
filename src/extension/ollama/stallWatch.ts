import type { Clock } from '../base/clock';

/** Notices when a stream is silent for too long while somebody waits for it. */
export class StallWatch {
  readonly #clock: Clock;
  readonly #limitMs: number | undefined;
  readonly #onStall: () => void;
  #cancel: (() => void) | undefined;
  #stalled = false;

  /** Without a limit (ms) a silence may last for ever. `onStall` must end the stream. */
  constructor(clock: Clock, limitMs: number | undefined, onStall: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onStall = onStall;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  /** Watches until `next` settles. Time in which nobody waits is the reader's own, not the stream's. */
  async over<T>(next: Promise<T>): Promise<T> {
    this.#start();
    try {
      return await next;
    } finally {
      this.#stop();
    }
  }

  /** Something arrived. */
  readonly heard = (): void => {
    if (this.#cancel !== undefined) this.#start();
  };

  #start(): void {
    this.#stop();
    if (this.#limitMs === undefined) return;
    this.#cancel = this.#clock.after(this.#limitMs, () => {
      this.#cancel = undefined;
      this.#stalled = true;
      this.#onStall();
    });
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
