import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 65_536;
const NEWLINE = 0x0a;

/**
 * Up to `limit` bytes from `position` on. What a file says about its size is not relied on: some have none, others
 * grow. Rejects with the signal's reason when it aborts.
 */
export async function readSlice(
  handle: FileHandle,
  position: number,
  limit: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    signal.throwIfAborted();
    const size = Math.min(CHUNK_BYTES, limit - length);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(size), 0, size, position + length);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks, length);
}

/** Where a line begins, or how many lines there are when it does not exist; binary: a NUL came before it. */
export type LineSearch =
  | { readonly kind: 'found'; readonly position: number }
  | { readonly kind: 'missing'; readonly lines: number }
  | { readonly kind: 'binary' };

/** Looks for line `line`, counted from 1, without holding the file in memory. Rejects when the signal aborts. */
export async function findLine(handle: FileHandle, line: number, signal: AbortSignal): Promise<LineSearch> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let current = 1;
  let position = 0;
  let endsWithNewline = true;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    const chunk = buffer.subarray(0, bytesRead);
    if (bytesRead === 0) return missing(current, endsWithNewline);
    if (chunk.includes(0)) return { kind: 'binary' };
    let start = 0;
    while (current < line) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      current += 1;
      start = end + 1;
    }
    // A line that begins at the very end of the chunk exists only if something follows.
    if (current === line && start < bytesRead) return { kind: 'found', position: position + start };
    endsWithNewline = chunk[bytesRead - 1] === NEWLINE;
    position += bytesRead;
  }
}

function missing(current: number, endsWithNewline: boolean): LineSearch {
  return { kind: 'missing', lines: endsWithNewline ? current - 1 : current };
}
