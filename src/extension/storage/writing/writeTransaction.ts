import type { Connection, Statements } from '../connection';
import { NEWEST_VERSION } from '../migrations/all';
import { StorageError } from '../storageError';

/**
 * Runs `task` in a transaction that holds the write lock. A newer build that migrated the file meanwhile says in
 * `min_writer` which builds may go on writing: one that may not learns it here, before it writes anything.
 * @throws StorageError `newer` when this build may not write any more; whatever the statements throw.
 */
export function writeTransaction<T>(connection: Connection, task: (statements: Statements) => Promise<T>): Promise<T> {
  return connection.transaction('write', async (statements) => {
    const row = await statements.get(`SELECT value FROM meta WHERE key = 'min_writer'`);
    const least = Number(row?.['value'] ?? 1);
    // One that cannot be read was written by nobody who would let this build write.
    if (!(least >= 1 && least <= NEWEST_VERSION)) throw StorageError.newer(least);
    return task(statements);
  });
}
