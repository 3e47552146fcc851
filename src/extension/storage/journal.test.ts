import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversation, message, StoreFolder, write } from '../../../test/support/storage/storeFolder';
import { Connection } from './connection';
import { migrate } from './migrate';
import { NEWEST_VERSION } from './migrations/all';

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

/** The file through a way of SQLite into the system that has locks but no memory that processes share. */
function openWithoutSharing(): Promise<Connection> {
  return Connection.open(`file:${join(folder.path, 'holdfast.db')}?vfs=unix-dotfile`, 'create');
}

async function valueOf(connection: Connection, pragma: string): Promise<unknown> {
  const row = await connection.exclusive((statements) => statements.get(`PRAGMA ${pragma}`));
  return Object.values(row ?? {})[0];
}

describe('the journal of the history file', () => {
  it('is a write-ahead log where that works', async () => {
    const store = await folder.open();
    expect(store.journal).toBe('wal');
  });

  it('falls back to a rollback journal, synced in full, where a write-ahead log is refused', async () => {
    const connection = await openWithoutSharing();
    expect(await migrate(connection, 'wal', false)).toBe('rollback');
    expect(await valueOf(connection, 'journal_mode')).toBe('delete');
    expect(await valueOf(connection, 'synchronous')).toBe(2);
    expect(await valueOf(connection, 'user_version')).toBe(NEWEST_VERSION);
    expect(await valueOf(connection, 'auto_vacuum')).toBe(2);
    await connection.close();
  });

  it('is given up in a file that was written with one and then moved to such a place, with everything in it', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    await write(store, id, { type: 'message_added', message: message(1) });
    await folder.crash(store);
    const connection = await openWithoutSharing();
    expect(await migrate(connection, 'wal', false)).toBe('rollback');
    expect(await connection.exclusive((statements) => statements.all('SELECT seq FROM message'))).toEqual([{ seq: 1 }]);
    await connection.close();
    expect(await folder.sql('PRAGMA quick_check')).toEqual([{ quick_check: 'ok' }]);
  });

  it('is a rollback journal from the start on a file system that is not known to be local', async () => {
    const connection = await Connection.open(join(folder.path, 'holdfast.db'), 'create');
    expect(await migrate(connection, 'rollback', false)).toBe('rollback');
    expect(await valueOf(connection, 'journal_mode')).toBe('delete');
    expect(await valueOf(connection, 'synchronous')).toBe(2);
    await connection.close();
  });
});
