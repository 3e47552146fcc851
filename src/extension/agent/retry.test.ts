import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manualClock';
import { retryDelay, waited } from './retry';

describe('the pause before another try', () => {
  it('is twice as long each time, up to a limit', () => {
    const failure = { reason: 'busy', detail: '' } as const;
    expect([1, 2, 3, 4, 5, 6, 9].map((attempt) => retryDelay(attempt, failure))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
  });

  it('is what the server asks for, where that is longer and not without end', () => {
    const failure = { reason: 'rate_limited', detail: '' } as const;
    expect(retryDelay(1, { ...failure, retryAfterMs: 7_000 })).toBe(7_000);
    expect(retryDelay(3, { ...failure, retryAfterMs: 100 })).toBe(4_000);
    expect(retryDelay(1, { ...failure, retryAfterMs: 3_600_000 })).toBe(60_000);
  });

  it('ends at once with the turn, and leaves no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const pause = waited(1_000, clock, controller.signal);
    controller.abort();
    await pause;
    await waited(1_000, clock, controller.signal);
    expect(clock.pending).toBe(0);
  });
});
