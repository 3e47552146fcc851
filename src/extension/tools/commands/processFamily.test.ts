import { expect, test } from 'vitest';
import { systemClock } from '../../base/clock';
import { ProcessFamily, taskkillArguments } from './processFamily';
import type { ProcessEntry } from './processTable';

function entry(pid: number, parent: number, group: number, special: Partial<ProcessEntry> = {}): ProcessEntry {
  return { pid, parent, group, session: group, started: '1', words: 'x', marked: false, ...special };
}

const own = entry(process.pid, 1, 900_000);

/** The family of process 100, and the processes among which it looks. */
class Seen {
  table: readonly ProcessEntry[] = [];
  readonly family = new ProcessFamily(100, 'm', systemClock, () => Promise.resolve(this.table));

  async pids(): Promise<readonly number[]> {
    return (await this.family.members()).map(({ pid }) => pid).toSorted((a, b) => a - b);
  }
}

test('the group, its children, a daemon that left everything but the marker, and what that started, are found', async () => {
  const seen = new Seen();
  seen.table = [
    own,
    entry(50, 1, 50),
    entry(100, process.pid, 100),
    entry(101, 100, 100),
    entry(102, 1, 102, { session: 100 }),
    entry(200, 1, 200, { marked: true }),
    entry(201, 200, 201),
    entry(202, 1, 201),
    entry(300, 50, 50),
  ];
  expect(await seen.pids()).toEqual([100, 101, 102, 200, 201, 202]);
});

test('a process that was found once belongs to the family, though it clears its environment and loses its parent', async () => {
  const seen = new Seen();
  seen.table = [own, entry(100, process.pid, 100), entry(200, 100, 200)];
  await seen.family.members();
  seen.table = [own, entry(200, 1, 200)];
  expect(await seen.pids()).toEqual([200]);
  seen.table = [own, entry(200, 1, 200, { started: '2' })];
  expect(await seen.pids()).toEqual([]);
});

test('the number of a root that has ended is anybody’s once nothing is left of its group', async () => {
  const seen = new Seen();
  seen.family.rootEnded();
  seen.table = [own, entry(101, 1, 100)];
  expect(await seen.pids()).toEqual([101]);
  seen.table = [own];
  expect(await seen.pids()).toEqual([]);
  seen.table = [own, entry(100, 1, 100, { started: '9' })];
  expect(await seen.pids()).toEqual([]);
});

test('neither this process nor its group is ever one of them', async () => {
  const seen = new Seen();
  seen.table = [{ ...own, marked: true }, entry(7, 1, own.group, { marked: true }), entry(1, 0, 1, { marked: true })];
  expect(await seen.pids()).toEqual([]);
});

test('on Windows the whole tree is ended', () => {
  expect(taskkillArguments(42)).toEqual(['/PID', '42', '/T', '/F']);
});
