import type { Connection } from './connection';
import { migration001 } from './migrations/001';
import { StorageError } from './storageError';

/** In order, append-only: the n-th one leads to `user_version` n. */
const MIGRATIONS: readonly string[] = [migration001];

/**
 * Brings the file to the newest version. Each step takes the write lock and then reads the version again, so that of
 * several windows started at once exactly one migrates.
 * @throws StorageError `newer` when the file was made by a newer build; `transient` when the lock cannot be had now.
 */
export async function migrate(connection: Connection): Promise<void> {
  // It must stand before the first table. Afterwards it does nothing, but would wait for the write lock all the same.
  if ((await versionIn(connection)) === 0) {
    await connection.exclusive((statements) => statements.run('PRAGMA auto_vacuum = INCREMENTAL'));
  }
  await connection.exclusive((statements) => statements.exec(PRAGMAS));
  for (;;) {
    const version = await versionIn(connection);
    if (version > MIGRATIONS.length) throw StorageError.newer(version);
    const step = MIGRATIONS[version];
    if (step === undefined) return;
    await connection.transaction('write', async (statements) => {
      if (versionOf(await statements.get('PRAGMA user_version')) !== version) return;
      await statements.exec(step);
      await statements.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
}

/** Whether the file can be read as it stands: made by this build or a newer one, which only adds. */
export async function isUpToDate(connection: Connection): Promise<boolean> {
  return (await versionIn(connection)) >= MIGRATIONS.length;
}

function versionIn(connection: Connection): Promise<number> {
  return connection.exclusive(async (statements) => versionOf(await statements.get('PRAGMA user_version')));
}

const PRAGMAS = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA journal_size_limit = 16777216;
PRAGMA trusted_schema = OFF;
PRAGMA foreign_keys = ON;
`;

function versionOf(row: Readonly<Record<string, unknown>> | undefined): number {
  const version = row?.['user_version'];
  if (typeof version !== 'number')
    throw new StorageError('damaged', 'VERSION', 'no user_version', 'The history file is damaged.');
  return version;
}
