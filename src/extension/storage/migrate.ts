import type { Connection } from './connection';
import { giveUpLogIfUnshareable, setUpJournal, type JournalKind } from './journal';
import { MIGRATIONS, NEWEST_VERSION } from './migrations/all';
import { StorageError } from './storageError';

/**
 * Sets the connection up and brings the file to the newest version. Answers the kind of journal the file has. Each step
 * takes the write lock and then reads the version again, so that of several windows started at once exactly one migrates.
 * `wroteBefore`: this window wrote the file when it was of its own version. Then a newer build that migrated it meanwhile
 * says in `min_writer` whether it may go on; else a newer file is only read.
 * @throws StorageError `newer` when the file was made by a newer build; `transient` when the lock cannot be had now.
 */
export async function migrate(connection: Connection, wanted: JournalKind, wroteBefore: boolean): Promise<JournalKind> {
  await giveUpLogIfUnshareable(connection);
  // It must stand before the first table. Afterwards it does nothing, but would wait for the write lock all the same.
  if ((await versionIn(connection)) === 0) {
    await connection.exclusive((statements) => statements.run('PRAGMA auto_vacuum = INCREMENTAL'));
  }
  const journal = await setUpJournal(connection, wanted);
  for (;;) {
    const version = await versionIn(connection);
    if (version > NEWEST_VERSION && !wroteBefore) throw StorageError.newer(version);
    const step = MIGRATIONS[version];
    if (step === undefined) return journal;
    await connection.transaction('write', async (statements) => {
      if (versionOf(await statements.get('PRAGMA user_version')) !== version) return;
      await statements.exec(step);
      await statements.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
}

/** Whether the file can be read as it stands: made by this build or a newer one, which only adds. */
export async function isUpToDate(connection: Connection): Promise<boolean> {
  return (await versionIn(connection)) >= NEWEST_VERSION;
}

function versionIn(connection: Connection): Promise<number> {
  return connection.exclusive(async (statements) => versionOf(await statements.get('PRAGMA user_version')));
}

function versionOf(row: Readonly<Record<string, unknown>> | undefined): number {
  const version = row?.['user_version'];
  if (typeof version !== 'number')
    throw new StorageError('damaged', 'VERSION', 'no user_version', 'The history file is damaged.');
  return version;
}
