import type { Clock } from '../../base/clock';

/** One moment by which several things have to be done. */
export class Deadline {
  readonly #passed: Promise<void>;
  readonly #dispose: () => void;

  /** Passes after `ms`, or when the signal aborts. */
  constructor(clock: Clock, ms: number, signal: AbortSignal) {
    let pass = (): void => undefined;
    this.#passed = new Promise((resolve) => {
      pass = resolve;
    });
    const cancel = clock.after(ms, pass);
    signal.addEventListener('abort', pass, { once: true });
    if (signal.aborted) pass();
    this.#dispose = () => {
      cancel();
      signal.removeEventListener('abort', pass);
    };
  }

  /** What `work` answers, or `late` when it has not by the deadline. Nobody waits for `work` then. */
  of<T, Late>(work: Promise<T>, late: Late): Promise<T | Late> {
    return Promise.race([work, this.#passed.then(() => late)]);
  }

  dispose(): void {
    this.#dispose();
  }
}
