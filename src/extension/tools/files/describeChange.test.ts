import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeChange } from './describeChange';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 40 });

describe('what is shown of a change', () => {
  it('shows changed places with lines around them, and their numbers', () => {
    const before = Array.from({ length: 40 }, (_, index) => `${index + 1}`);
    const after = before.map((line) => (line === '10' ? 'ten' : line)).filter((line) => line !== '30');
    expect(describeChange('a.ts', before.join('\n'), after.join('\n'))).toEqual({
      path: 'a.ts',
      kind: 'changed',
      added: 1,
      removed: 2,
      hunksLeftOut: 0,
      hunks: [
        { oldStart: 7, newStart: 7, lines: [' 7', ' 8', ' 9', '-10', '+ten', ' 11', ' 12', ' 13'] },
        { oldStart: 27, newStart: 27, lines: [' 27', ' 28', ' 29', '-30', ' 31', ' 32', ' 33'] },
      ],
    });
  });

  it('shows all lines of a new file', () => {
    expect(describeChange('a.ts', undefined, 'a\r\nb')).toMatchObject({
      kind: 'created',
      added: 2,
      removed: 0,
      hunks: [{ newStart: 1, lines: ['+a', '+b'] }],
    });
    expect(describeChange('a.ts', undefined, '')).toMatchObject({ kind: 'created', added: 0, hunks: [] });
  });

  it('shows nothing but the truth: its lines applied to the old text are the new text', () => {
    fc.assert(
      fc.property(lines, lines, (one, other) => {
        const before = one.map((line) => `${line}\n`).join('');
        const after = other.map((line) => `${line}\n`).join('');
        const { hunks, added, removed } = describeChange('a', before, after);
        const result: string[] = [...one];
        for (const { oldStart, newStart, lines: shown } of hunks.toReversed()) {
          const old = shown.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
          expect(one.slice(oldStart - 1, oldStart - 1 + old.length)).toEqual(old);
          const fresh = shown.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
          expect(other.slice(newStart - 1, newStart - 1 + fresh.length)).toEqual(fresh);
          result.splice(oldStart - 1, old.length, ...fresh);
        }
        expect(result).toEqual(other);
        expect(added - removed).toBe(other.length - one.length);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps to its limits, and says that places are left out', () => {
    const before = Array.from({ length: 2000 }, (_, index) => `${index}`);
    const scattered = describeChange(
      'a',
      before.join('\n'),
      before.map((line, index) => (index % 20 === 0 ? 'x' : line)).join('\n'),
    );
    expect(scattered).toMatchObject({ added: 100, removed: 100 });
    expect(scattered.hunks.length + scattered.hunksLeftOut).toBe(100);
    expect(scattered.hunksLeftOut).toBeGreaterThan(0);
    const anew = describeChange('a', before.join('\n'), before.map((line) => `${line}!`).join('\n'));
    expect(anew).toMatchObject({ added: 2000, removed: 2000, hunksLeftOut: 1 });
    expect(anew.hunks[0]?.lines.length).toBeLessThanOrEqual(400);
    const long = describeChange('a', '', 'x'.repeat(100_000));
    expect(long.hunks[0]?.lines[0]?.length).toBeLessThan(600);
    expect(JSON.stringify(describeChange('a', '', `${'x'.repeat(400)}\n`.repeat(400))).length).toBeLessThan(40_000);
  });

  it('shows no half characters and no bytes that are none', () => {
    const change = describeChange('a', 'caf\uDCE9\n', `caf\uDCE9\n${'👋'.repeat(1000)}`);
    expect(change.hunks.flatMap((hunk) => hunk.lines).every((line) => line.isWellFormed())).toBe(true);
  });
});
