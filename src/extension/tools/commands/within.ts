import { pause, type Clock } from '../../base/clock';

/** Resolves when `waits` settles, when `ms` have passed, or when `signal` aborts. Leaves no timer behind. */
export async function within(clock: Clock, ms: number, waits: Promise<unknown>, signal?: AbortSignal): Promise<void> {
  const done = new AbortController();
  const end = (): void => done.abort();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted === true) end();
  try {
    await Promise.race([waits, pause(clock, ms, done.signal)]);
  } finally {
    end();
    signal?.removeEventListener('abort', end);
  }
}
