import { describe, expect, it } from 'vitest';
import { change } from '../testing/approval';
import { excerptOf, linesOf } from './diffLines';

describe('The excerpt of a change', () => {
  it('shows whole places with one line around them, and counts what it leaves out', () => {
    const excerpt = excerptOf(change({ hunksLeftOut: 1 }), 12);
    expect(excerpt.hunks.map(({ lines }) => lines)).toEqual([
      [' b', '-old', '+new', '+more', ' c'],
      [' e', '+one', '+two', ' f'],
    ]);
    expect(excerpt).toMatchObject({ lines: 9, allLines: 9, changes: 2, allChanges: 3 });
    expect(excerptOf(change(), 8)).toMatchObject({ lines: 5, allLines: 9, changes: 1, allChanges: 2 });
  });

  it('shows the beginning of a place that is too long alone', () => {
    const long = { oldStart: 1, newStart: 1, lines: Array.from({ length: 40 }, () => '+x') };
    expect(excerptOf(change({ hunks: [long] }), 12)).toMatchObject({
      lines: 12,
      allLines: 40,
      changes: 1,
      allChanges: 1,
    });
  });

  it('keeps the numbers of lines when less is shown around them', () => {
    const [hunk] = excerptOf(change(), 12).hunks;
    expect(hunk === undefined ? [] : linesOf(hunk).map(({ number }) => number)).toEqual([
      100,
      undefined,
      101,
      102,
      103,
    ]);
  });
});
