import { describe, expect, it } from 'vitest';
import { retryDelay } from './retry';

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
});
