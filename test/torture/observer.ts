/** Copies the file while it is written, checks the copies, and reads every conversation, in the copies and live. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '../../src/extension/storage/connection';
import { systemClock } from '../../src/extension/base/clock';
import { alone } from './alone';
import { Reader } from '../../src/extension/storage/reading/reader';
import { StorageError } from '../../src/extension/storage/storageError';
import type { ParentLine } from './lines';
import { sleep } from './model';
import { listen, tell } from './pipe';
import { conversationIds, readWhole } from './readWhole';

export interface ObserverOptions {
  readonly folder: string;
  /** For the copies: not on the disk that is made full. */
  readonly copies: string;
  readonly pauseMs: number;
}

const { folder, copies, pauseMs } = JSON.parse(process.argv[2] ?? '{}') as ObserverOptions;
const file = join(folder, 'holdfast.db');

let closing = false;
listen<ParentLine>((line) => {
  closing ||= line.kind === 'close';
});

// A lock or a full disk may keep the first window from making the tables for a while.
while (!closing && !(await hasTables())) await sleep(100);
while (!closing) {
  await guarded('reading', readAll);
  await sleep(pauseMs);
  await guarded('copying', copyAndCheck);
  await sleep(pauseMs);
}
tell({ kind: 'closed' });
process.exit(0);

async function hasTables(): Promise<boolean> {
  let version: unknown;
  await using(file, async (connection) => {
    const row = await connection.exclusive((statements) => statements.get('PRAGMA user_version'));
    version = row?.['user_version'];
  }).catch(() => undefined);
  return typeof version === 'number' && version > 0;
}

async function guarded(where: string, task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (thrown) {
    blame(where, thrown);
  }
}

/** What will pass is not the file's fault: somebody holds it, or the disk is full. */
function blame(where: string, thrown: unknown, conversation?: string): void {
  const error = StorageError.from(thrown);
  if (error.kind === 'transient') tell({ kind: 'passing', where, code: error.code });
  else
    tell({
      kind: 'unreadable',
      where,
      why: `${error.code}: ${error.message}`,
      ...(conversation === undefined ? {} : { conversation }),
    });
}

async function readAll(): Promise<void> {
  await using(file, async (connection) => {
    let messages = 0;
    const ids = await conversationIds(connection);
    for (const id of ids) {
      messages += await readOne(connection, id, 'live file');
      await sleep(1); // A slice: nothing is read across all conversations at once.
    }
    tell({ kind: 'read', conversations: ids.length, messages });
  });
}

async function copyAndCheck(): Promise<void> {
  const copy = join(copies, 'copy.db');
  await rm(copy, { force: true });
  const since = performance.now();
  await using(file, (connection) => connection.exclusive((statements) => statements.run('VACUUM INTO ?', [copy])));
  await using(copy, async (connection) => {
    const check = await connection.exclusive((statements) => statements.get('PRAGMA quick_check'));
    if (check?.['quick_check'] !== 'ok')
      tell({ kind: 'unreadable', where: 'copy', why: `quick_check: ${JSON.stringify(check)}` });
    const ids = await conversationIds(connection);
    for (const id of ids) await readOne(connection, id, 'copy');
    tell({ kind: 'copied', conversations: ids.length, ms: Math.round(performance.now() - since) });
  });
}

async function readOne(connection: Connection, id: string, where: string): Promise<number> {
  try {
    const { messages, faults } = await readWhole(new Reader(alone(connection), systemClock), id);
    for (const why of faults) tell({ kind: 'unreadable', where, conversation: id, why });
    return messages;
  } catch (thrown) {
    blame(where, thrown, id);
    return 0;
  }
}

async function using(path: string, task: (connection: Connection) => Promise<unknown>): Promise<void> {
  const connection = await Connection.open(path, 'existing');
  try {
    await task(connection);
  } finally {
    await connection.close();
  }
}
