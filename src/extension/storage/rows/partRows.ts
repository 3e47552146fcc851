import type { Part } from '../../../protocol/part';
import { putBlobs } from './blobRows';
import type { SqlValue, Statements } from '../connection';
import { partColumns, PATCHED_DATA, type Blob } from './encode';

/** Writes parts whole, each under its key, in the place of what stood there. */
export async function putParts(statements: Statements, parts: readonly (readonly [number, Part])[]): Promise<void> {
  if (parts.length === 0) return;
  const blobs: (Blob | undefined)[] = [];
  const values: SqlValue[] = [];
  for (const [id, part] of parts) {
    const { type, state, data, blob, image } = partColumns(part);
    values.push(id, type, state, data, blob?.hash ?? null, image?.hash ?? null);
    blobs.push(blob, image);
  }
  await putBlobs(statements, blobs);
  await statements.run(
    // An image stays named: a part that is written anew may have been read without its bytes.
    `INSERT INTO part (id, type, state, data, blob, image) VALUES ${parts.map(() => '(?, ?, ?, ?, ?, ?)').join(', ')}
     ON CONFLICT (id) DO UPDATE SET type = excluded.type, state = excluded.state, data = excluded.data,
            blob = excluded.blob, image = coalesce(excluded.image, image)`,
    values,
  );
}

/**
 * Writes how a part ended, and its streamed text into it. Nothing else of it is written anew: it may hold what this build
 * does not know, or cannot read. Chunks behind a gap are not in its text, and stay.
 */
export async function endPart(statements: Statements, id: number, part: Part): Promise<void> {
  const state = part.type === 'tool' ? part.state : null;
  const text = part.type === 'text' || part.type === 'thinking' ? part.text : undefined;
  const endedAt = part.type === 'tool' || part.type === 'thinking' ? part.endedAt : undefined;
  await statements.run(`UPDATE part SET state = coalesce(?, state), data = ${PATCHED_DATA} WHERE id = ?`, [
    state,
    JSON.stringify({ text, endedAt }),
    id,
  ]);
  if (text !== undefined)
    await statements.run(`DELETE FROM part_delta WHERE part_id = ? AND at <= ?`, [id, text.length]);
}
