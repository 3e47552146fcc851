import { expect, test } from 'vitest';
import { parsePs, parseStat } from './processTable';

const REST = '34816 1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 987654 9000000 100';

test('a process of Linux is read, whatever its program is called', () => {
  expect(parseStat(`42 (a) b (c) S 7 40 39 ${REST}\n`)).toEqual({
    pid: 42,
    parent: 7,
    group: 40,
    session: 39,
    started: '987654',
    words: 'a) b (c',
  });
});

test('a process of Linux that has ended is none', () => {
  expect(parseStat(`42 (sleep) Z 7 40 39 ${REST}`)).toBeUndefined();
  expect(parseStat('')).toBeUndefined();
});

test('processes of macOS are read, with the marker in the environment behind their words', () => {
  const text = [
    '  501     1   501 Ss   Mon Nov 30 19:24:11 2026     /usr/sbin/cfprefsd agent',
    ' 4711   501  4711 S+   Tue Dec  1 09:00:00 2026     sleep 100 PATH=/bin HOLDFAST_COMMAND=m1 HOME=/Users/me',
    ' 4712   501  4711 Z    Tue Dec  1 09:00:00 2026     (sleep) HOLDFAST_COMMAND=m1',
    ' 4713   501  4711 S    Tue Dec  1 09:00:00 2026     sleep 100 HOLDFAST_COMMAND=m10',
    '',
  ].join('\n');
  const found = parsePs(text, 'm1');
  expect(found.map(({ pid, parent, group, marked }) => [pid, parent, group, marked])).toEqual([
    [501, 1, 501, false],
    [4711, 501, 4711, true],
    [4713, 501, 4711, false],
  ]);
  expect(found[1]?.started).toBe('Tue Dec  1 09:00:00 2026');
});
