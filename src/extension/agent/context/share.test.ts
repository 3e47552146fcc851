import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairShares } from './share';

describe('Fair shares', () => {
  it('give all to who wants little, and the rest in even parts', () => {
    expect(fairShares([10, 500, 1_000], 400)).toEqual([10, 195, 195]);
    expect(fairShares([10, 20], 400)).toEqual([10, 20]);
    expect(fairShares([], 400)).toEqual([]);
    expect(fairShares([5], -1)).toEqual([0]);
  });

  it('are never more than what is wanted or there, and nobody has less than another who wants as much', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(10_000)), fc.nat(50_000), (wants, room) => {
        const shares = fairShares(wants, room);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(room);
        for (const [index, share] of shares.entries()) {
          expect(share).toBeLessThanOrEqual(wants[index] ?? 0);
          if (share === wants[index]) continue;
          for (const other of shares) expect(other - share).toBeLessThanOrEqual(1 + wants.length);
        }
      }),
    );
  });
});
