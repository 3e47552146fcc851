import type { Connection } from './connection';
import { StorageError } from './storageError';

/**
 * How changes become durable. `wal`: a log beside the file that readers and one writer share. `rollback`: one journal for
 * each transaction, and every write waits for the disk; for file systems that cannot share memory or refuse the log.
 */
export type JournalKind = 'wal' | 'rollback';

/**
 * A file that was written with a log cannot even be read where memory cannot be shared. Whoever has it alone can: then the
 * log is moved into the file and given up. Call it before anything is read.
 */
export async function giveUpLogIfUnshareable(connection: Connection): Promise<void> {
  await connection.exclusive(async (statements) => {
    try {
      await statements.get('PRAGMA user_version');
    } catch (thrown) {
      if (StorageError.from(thrown).code !== 'SQLITE_CANTOPEN') throw thrown;
      await statements.get('PRAGMA locking_mode = EXCLUSIVE');
      await statements.get('PRAGMA journal_mode = DELETE');
      await statements.get('PRAGMA locking_mode = NORMAL');
      // Only a read lets go of the lock.
      await statements.get('PRAGMA user_version');
    }
  });
}

/** Sets a connection up to write. Answers the kind of journal the file really has: a log can be refused. */
export async function setUpJournal(connection: Connection, wanted: JournalKind): Promise<JournalKind> {
  return connection.exclusive(async (statements) => {
    const answer = await statements.get(`PRAGMA journal_mode = ${wanted === 'wal' ? 'WAL' : 'DELETE'}`);
    const got: JournalKind = answer?.['journal_mode'] === 'wal' ? 'wal' : 'rollback';
    await statements.exec(`PRAGMA synchronous = ${got === 'wal' ? 'NORMAL' : 'FULL'}`);
    await statements.exec(PRAGMAS);
    return got;
  });
}

/** The log is moved into the file by the checkpointer instead of by whichever commit makes it long. */
const PRAGMAS = `
PRAGMA wal_autocheckpoint = 0;
PRAGMA temp_store = MEMORY;
PRAGMA journal_size_limit = 16777216;
PRAGMA trusted_schema = OFF;
PRAGMA foreign_keys = ON;
`;
