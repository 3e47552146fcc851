import { join } from 'node:path';
import { Connection, type SqlRow } from '../../../src/extension/storage/connection';
import type { VsCodeServer } from './server';

/** A connection of the test's own to the history file of a VS Code. The caller closes it. */
export function openHistoryFile(server: VsCodeServer): Promise<Connection> {
  const storage = join(server.dataDir, 'data', 'User', 'globalStorage', 'holdfast.holdfast');
  return Connection.open(join(storage, 'holdfast.db'), 'existing');
}

/** What the server reported for the newest answer of all. Tokens. */
export async function newestUsage(server: VsCodeServer): Promise<{ readonly promptTokens?: number }> {
  const [row] = await ask(
    server,
    `SELECT json_extract(data, '$.usage.promptTokens') AS tokens FROM message WHERE role = 'assistant' ORDER BY created_at DESC, id DESC LIMIT 1`,
  );
  return typeof row?.['tokens'] === 'number' ? { promptTokens: row['tokens'] } : {};
}

/** The chunks of streamed text that are in the history file now, put together. */
export async function storedChunks(server: VsCodeServer): Promise<string> {
  const rows = await ask(server, 'SELECT data FROM part_delta ORDER BY part_id, chunk');
  return rows.map((row) => String(row['data'])).join('');
}

async function ask(server: VsCodeServer, sql: string): Promise<readonly SqlRow[]> {
  const connection = await openHistoryFile(server);
  try {
    return await connection.exclusive((statements) => statements.all(sql));
  } finally {
    await connection.close();
  }
}
