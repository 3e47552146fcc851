/** Another program at the file: holds its write lock for as long as it is told to. */
import { Connection } from '../../src/extension/storage/connection';
import { StorageError } from '../../src/extension/storage/storageError';
import { join } from 'node:path';
import type { HolderLine } from './lines';
import { sleep } from './model';
import { listen, tell } from './pipe';

/** It gets the lock between the commits of several windows, if it is patient. */
const PATIENCE_MS = 3_000;

const file = join(process.argv[2] ?? '.', 'holdfast.db');

listen<HolderLine>((line) => void hold(line));

async function hold({ exclusive, ms }: HolderLine): Promise<void> {
  try {
    const connection = await Connection.open(file, 'existing', PATIENCE_MS);
    try {
      await connection.exclusive(async (statements) => {
        await statements.run(exclusive ? 'BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE');
        await sleep(ms);
        await statements.run('ROLLBACK');
      });
    } finally {
      await connection.close();
    }
    tell({ kind: 'held' });
  } catch (error) {
    tell({ kind: 'refused', why: StorageError.from(error).code });
  }
}
