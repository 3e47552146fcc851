import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOf, rowId, rowRange } from './rowId';

const conversation = fc.integer({ min: 1, max: 2 ** 20 - 1 });
const seq = fc.integer({ min: 1, max: 2 ** 24 - 1 });
const idx = fc.integer({ min: 0, max: 250 });

describe('row ids', () => {
  it('are safe integers that give the place back', () => {
    fc.assert(
      fc.property(conversation, seq, idx, (c, s, i) => {
        const id = rowId(c, s, i);
        expect(Number.isSafeInteger(id)).toBe(true);
        expect(placeOf(id)).toEqual({ seq: s, idx: i });
      }),
    );
  });

  it('sort by conversation, then message, then part', () => {
    fc.assert(
      fc.property(fc.tuple(conversation, seq, idx), fc.tuple(conversation, seq, idx), (a, b) => {
        const byPlace = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
        expect(Math.sign(rowId(...a) - rowId(...b))).toBe(Math.sign(byPlace));
      }),
    );
  });

  it('of a range hold every part of its messages and none of another conversation', () => {
    fc.assert(
      fc.property(conversation, seq, idx, (c, s, i) => {
        const [first, last] = rowRange(c);
        expect(rowId(c, s, i)).toBeGreaterThanOrEqual(first);
        expect(rowId(c, s, i)).toBeLessThanOrEqual(last);
        if (c > 1) expect(rowId(c - 1, s, i)).toBeLessThan(first);
      }),
    );
  });

  it('are refused outside their bounds', () => {
    for (const bad of [0, -1, 1.5, Number.NaN, 2 ** 24]) expect(() => rowId(1, bad)).toThrow(RangeError);
    expect(() => rowId(2 ** 20, 1)).toThrow(RangeError);
    expect(() => rowId(1, 1, 251)).toThrow(RangeError);
  });
});
