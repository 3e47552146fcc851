import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt, type Omission } from './excerpt';

const gap = ({ characters, first, last }: Omission): string => `[… ${characters} left out, lines ${first}-${last} …]`;
const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join('\n');

describe('An excerpt of a text', () => {
  it('is the whole text when that fits', () => {
    expect(excerpt(lines, lines.length, gap)).toBe(lines);
  });

  it('keeps the beginning and the end in whole lines, and names the lines that are left out', () => {
    const cut = excerpt(lines, 600, gap).split('\n');
    const at = cut.findIndex((line) => line.startsWith('[…'));
    const [, first, last] = /lines (\d+)-(\d+)/.exec(cut[at] ?? '') ?? [];
    expect(cut[0]).toBe('line 1');
    expect(cut.at(-1)).toBe('line 200');
    expect(cut[at - 1]).toBe(`line ${Number(first) - 1}`);
    expect(cut[at + 1]).toBe(`line ${Number(last) + 1}`);
  });

  it('counts Chinese and emoji by their bytes, and cuts no character in two', () => {
    for (const text of ['語'.repeat(3_000), '👋🏽'.repeat(2_000), `${'語'.repeat(2_000)}${'x'.repeat(6_000)}`]) {
      const cut = excerpt(text, 900, gap);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(900);
      expect(Buffer.byteLength(cut)).toBeGreaterThan(450);
      expect(cut).not.toMatch(/[\p{Cs}\uFFFD]/u);
    }
  });

  it('keeps to its room, and what it keeps and leaves out is the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 60 }).map((all) => all.join('\n')),
        fc.integer({ min: 200, max: 1_000 }),
        (text, bytes) => {
          let omitted = 0;
          const mark = '\u0001';
          const cut = excerpt(text, bytes, (omission) => {
            omitted = omission.characters;
            return mark;
          });
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(bytes, 0));
          const [head = '', tail = ''] = cut.split(mark);
          if (omitted === 0) return;
          expect(text.startsWith(head.replace(/\n$/, ''))).toBe(true);
          expect(text.endsWith(tail.replace(/^\n/, ''))).toBe(true);
        },
      ),
    );
  });
});
