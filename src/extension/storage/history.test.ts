import { copyFile, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIXTURE_HOST } from '../../../test/support/history/fixtureHistory';
import { silentLog, type Log } from '../base/log';
import { Connection, type SqlRow } from './connection';
import { NEWEST_VERSION } from './migrations/all';
import { Store } from './store';

const PREVIOUS = join(import.meta.dirname, `../../../test/fixtures/history/v${NEWEST_VERSION - 1}.db`);
const DAY_MS = 86_400_000;
const DAYS = 200;
const CONVERSATIONS = 300;
const FOLDERS = ['file:///home/ada/one', 'file:///home/ada/two'];

let folder: string;
let stores: Store[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-history-'));
  stores = [];
  await copyFile(PREVIOUS, join(folder, 'holdfast.db'));
  await seed();
});

afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function onFile<T>(task: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing');
  try {
    return await task(connection);
  } finally {
    await connection.close();
  }
}

/** Conversations of the last {@link DAYS} days in two folders, written as the build before this one did. */
function seed(): Promise<void> {
  const now = Date.now();
  return onFile((connection) =>
    connection.transaction('write', async (statements) => {
      const workspaces: number[] = [];
      for (const key of FOLDERS) {
        const values = [key, key.slice(-3), now - DAYS * DAY_MS];
        const row = await statements.get(
          `INSERT INTO workspace (key, name, created_at) VALUES (?, ?, ?) RETURNING id`,
          values,
        );
        workspaces.push(Number(row?.['id']));
      }
      for (let index = 0; index < CONVERSATIONS; index += 1) {
        const at = Math.round(now - (DAYS * DAY_MS * (CONVERSATIONS - index)) / CONVERSATIONS);
        const row = await statements.get(
          `INSERT INTO conversation (ulid, workspace, kind, title, created_at, updated_at)
           VALUES (?1, ?2, 'chat', ?3, ?4, ?4) RETURNING id`,
          [ulid(at), workspaces[index % 2] ?? 0, `Conversation ${index}`, at],
        );
        const id = Number(row?.['id']);
        await statements.run(
          `INSERT INTO message (id, conversation, seq, role, status, created_at, data)
           VALUES (?1 * 4294967296 + 256, ?1, 1, 'user', 'done', ?2, '{}')`,
          [id, at],
        );
        await statements.run(`INSERT INTO part (id, type, data) VALUES (?1 * 4294967296 + 256, 'text', ?2)`, [
          id,
          JSON.stringify({ text: `Words ${index}` }),
        ]);
      }
    }),
  );
}

async function openStore(log = silentLog): Promise<Store> {
  const store = new Store(folder, FIXTURE_HOST, log);
  stores.push(store);
  expect(await store.start()).toBeUndefined();
  return store;
}

function count(key: string): Promise<SqlRow | undefined> {
  return onFile((connection) =>
    connection.exclusive((statements) =>
      statements.get(
        `SELECT count(*) AS n FROM conversation c JOIN workspace w ON w.id = c.workspace WHERE w.key = ?`,
        [key],
      ),
    ),
  );
}

async function listed(store: Store): Promise<readonly (readonly [title: string, lastWords: string | undefined])[]> {
  const lists = await Promise.all(FOLDERS.map((key) => store.reader.listConversations(key)));
  return lists.flat().map(({ title, lastUserText }) => [title, lastUserText]);
}

/** All of it, each folder's newest first. */
const everything = [1, 0].flatMap((last) => {
  const indexes = Array.from({ length: CONVERSATIONS }, (_, index) => index).filter((index) => index % 2 !== last);
  return indexes.toReversed().map((index) => [`Conversation ${index}`, `Words ${index}`]);
});

describe('a history that an older build wrote', () => {
  // A01
  it('lists every conversation, however long ago it was used', async () => {
    const counts = await Promise.all(FOLDERS.map(count));
    const store = await openStore();
    for (const [index, key] of FOLDERS.entries()) {
      const list = await store.reader.listConversations(key);
      expect({ n: list.length }).toEqual(counts[index]);
    }
    expect(await listed(store)).toEqual(everything);
  });

  // A03
  it('is all there when every other file in its folder is empty', async () => {
    await (await openStore()).close();
    stores = [];
    // What windows that died left, and whatever else a build may have put beside the file.
    for (const name of [`owners/${ulid()}.db`, `owners/${ulid(1)}.db`, 'index.json', 'state.vscdb'])
      await writeFile(join(folder, name), 'something');
    await mkdir(join(folder, 'backups'));
    await writeFile(join(folder, 'backups', 'holdfast.db'), 'something');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const others = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const file of others) if (file !== join(folder, 'holdfast.db')) await truncate(file);
    expect(others).toHaveLength(6);
    const lines: string[] = [];
    const note = (line: string): number => lines.push(line);
    const log: Log = { info: note, warn: note, error: note, sub: () => log };
    expect(await listed(await openStore(log))).toEqual(everything);
    // The sign of life of a window that began long ago. The other one may be of a window that begins just now.
    await vi.waitFor(() => expect(lines).toEqual(['owner files of windows that are gone: 1 removed']));
  });
});
