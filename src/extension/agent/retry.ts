import { REQUEST_RETRY_FIRST_MS, REQUEST_RETRY_LONGEST_MS, REQUEST_WAIT_LONGEST_MS } from '../base/limits';
import type { Clock } from '../base/clock';
import type { ModelFailure } from '../ollama/modelClient';

/** How long (ms) to wait before the `attempt`th try after a failure, counted from 1: longer each time, or as told. */
export function retryDelay(attempt: number, failure: ModelFailure): number {
  const own = Math.min(REQUEST_RETRY_FIRST_MS * 2 ** (attempt - 1), REQUEST_RETRY_LONGEST_MS);
  return Math.max(own, Math.min(failure.retryAfterMs ?? 0, REQUEST_WAIT_LONGEST_MS));
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export function waited(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
