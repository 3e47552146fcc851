import type { Part } from '../../protocol/part';
import type { SqlValue, Statements } from './connection';
import { partColumns, type Blob } from './encode';

/** Writes parts whole, each under its key, in the place of what stood there. */
export async function putParts(statements: Statements, parts: readonly (readonly [number, Part])[]): Promise<void> {
  if (parts.length === 0) return;
  const blobs: Blob[] = [];
  const values: SqlValue[] = [];
  for (const [id, part] of parts) {
    const { type, state, data, blob } = partColumns(part);
    values.push(id, type, state, data, blob?.hash ?? null);
    if (blob !== undefined) blobs.push(blob);
  }
  for (const { hash, data } of blobs) {
    // The same bytes are kept once.
    await statements.run(`INSERT INTO blob (hash, data) VALUES (?, ?) ON CONFLICT DO NOTHING`, [hash, data]);
  }
  await statements.run(
    `INSERT INTO part (id, type, state, data, blob) VALUES ${parts.map(() => '(?, ?, ?, ?, ?)').join(', ')}
     ON CONFLICT (id) DO UPDATE SET type = excluded.type, state = excluded.state, data = excluded.data, blob = excluded.blob`,
    values,
  );
}
