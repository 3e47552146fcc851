import type { Part } from '../../../protocol/part';
import { putBlobs } from './blobRows';
import type { SqlValue, Statements } from '../connection';
import { partColumns, type Blob } from './encode';

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
