import { join } from 'node:path';
import { Connection } from '../../../src/extension/storage/connection';
import type { VsCodeServer } from './server';

/** A connection of the test's own to the history file of a VS Code. The caller closes it. */
export function openHistoryFile(server: VsCodeServer): Promise<Connection> {
  const storage = join(server.dataDir, 'data', 'User', 'globalStorage', 'holdfast.holdfast');
  return Connection.open(join(storage, 'holdfast.db'), 'existing');
}

/** The chunks of streamed text that are in the history file now, put together. */
export async function storedChunks(server: VsCodeServer): Promise<string> {
  const connection = await openHistoryFile(server);
  try {
    const rows = await connection.exclusive((statements) =>
      statements.all('SELECT data FROM part_delta ORDER BY part_id, chunk'),
    );
    return rows.map((row) => String(row['data'])).join('');
  } finally {
    await connection.close();
  }
}
