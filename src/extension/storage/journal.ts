import type { Connection } from './connection';

/**
 * How changes become durable. `wal`: a log beside the file that readers and one writer share. `rollback`: one journal for
 * each transaction, and every write waits for the disk; for file systems that cannot share memory or refuse the log.
 */
export type JournalKind = 'wal' | 'rollback';

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

const PRAGMAS = `
PRAGMA journal_size_limit = 16777216;
PRAGMA trusted_schema = OFF;
PRAGMA foreign_keys = ON;
`;
