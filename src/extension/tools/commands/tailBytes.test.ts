import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TailBytes } from './tailBytes';

test('the last bytes are there, whatever came before and in whatever pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 9_000 }), { maxLength: 12 }),
      fc.nat(60_000),
      fc.nat(60_000),
      (chunks, from, length) => {
        const limit = 10_000;
        const tail = new TailBytes(limit);
        for (const chunk of chunks) tail.push(chunk);
        const all = Buffer.concat(chunks);
        expect(tail.total).toBe(all.length);
        expect(tail.start).toBe(Math.max(0, all.length - limit));
        expect(Buffer.from(tail.read(0))).toEqual(all.subarray(tail.start));
        const start = Math.max(from, tail.start);
        expect(Buffer.from(tail.read(from, from + length))).toEqual(
          all.subarray(start, Math.max(start, from + length)),
        );
      },
    ),
  );
});
