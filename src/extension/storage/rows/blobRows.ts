import type { Statements } from '../connection';
import { blobOf, type Blob } from './encode';

/** Writes bytes under their hashes. The same bytes are kept once. */
export async function putBlobs(statements: Statements, blobs: readonly (Blob | undefined)[]): Promise<void> {
  for (const blob of blobs) {
    if (blob === undefined) continue;
    await statements.run(`INSERT INTO blob (hash, data) VALUES (?, ?) ON CONFLICT DO NOTHING`, [blob.hash, blob.data]);
  }
}

/** The bytes with this hash; undefined when the file does not hold them as they were written. */
export async function readBlob(statements: Statements, hash: string): Promise<Uint8Array | undefined> {
  const row = await statements.get(`SELECT data FROM blob WHERE hash = ?`, [hash]);
  const data = row?.['data'];
  return data instanceof Uint8Array && blobOf(data).hash === hash ? data : undefined;
}
