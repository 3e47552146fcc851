/** Time as an argument: tests bring their own. Times are epoch milliseconds. */
export interface Clock {
  now(): number;
  /** Calls `then` after `ms`; the answer cancels it. */
  after(ms: number, then: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when `signal` aborts. Leaves neither a timer nor a listener behind. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
