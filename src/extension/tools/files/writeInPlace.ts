import type { FileHandle } from 'node:fs/promises';
import { failed, succeeded, type Result } from '../../base/result';
import { commonEnds } from './commonEnds';
import { modeOf, reasonOf } from './diskFile';

/** What of an open file writing needs. */
export type WritableFile = Pick<FileHandle, 'write' | 'truncate' | 'datasync' | 'stat' | 'chmod'>;

/** Why writing failed, in words that go after a colon. `restored`: the file holds what it held before. */
export interface WriteTrouble {
  readonly reason: string;
  readonly restored: boolean;
}

/**
 * Writes over an open file that holds `before`, so that it stays the same file, with its links, owner and mode. What lies
 * beyond the old end is written first: a full disk is met there, with nothing lost. When it fails the old bytes are put
 * back.
 */
export async function writeInPlace(
  file: WritableFile,
  before: Uint8Array,
  after: Uint8Array,
): Promise<Result<undefined, WriteTrouble>> {
  const shared = Math.min(before.length, after.length);
  const { start } = commonEnds(before, after);
  /** From where on what the file held may be lost. */
  let touched = before.length;
  try {
    const mode = await modeOf(file);
    await writeRange(file, after, before.length, after.length);
    touched = start;
    await writeRange(file, after, start, shared);
    if (after.length < before.length) await file.truncate(after.length);
    await file.datasync();
    await keepMode(file, mode);
    return succeeded(undefined);
  } catch (error) {
    return failed({ reason: reasonOf(error), restored: await putBack(file, before, touched) });
  }
}

/** The system may take bits away when a file is written to. Who does not own it cannot give them back. */
async function keepMode(file: WritableFile, mode: number): Promise<void> {
  if ((await modeOf(file)) !== mode) await file.chmod(mode).catch(() => undefined);
}

/** Whether the file holds again what it held. */
async function putBack(file: WritableFile, before: Uint8Array, touched: number): Promise<boolean> {
  try {
    // First what is beyond the old end goes: that makes room on a full disk.
    await file.truncate(before.length);
    await writeRange(file, before, touched, before.length);
    await file.datasync();
    return true;
  } catch {
    return false;
  }
}

async function writeRange(file: WritableFile, bytes: Uint8Array, start: number, end: number): Promise<void> {
  for (let at = start; at < end;) {
    const { bytesWritten } = await file.write(bytes, at, end - at, at);
    at += bytesWritten;
  }
}
