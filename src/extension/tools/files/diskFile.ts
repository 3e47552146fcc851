import { lstat, type FileHandle } from 'node:fs/promises';
import { errorCode } from '../../base/errorCode';
import type { FileState } from '../../base/fileVersion';
import { READ_FILE_BYTES } from '../../base/limits';
import { failed, succeeded, type Result } from '../../base/result';
import { openConfined } from '../confine';
import type { FilePlace } from '../filePlace';
import { readSlice } from '../fileSlice';

const never = new AbortController().signal;

/** What is left of `mode` without the kind of the file. */
const PERMISSIONS = 0o7777;

/** A file that cannot be read or written. `sentence`: for the model and the person. `summary`: a few words. */
export interface DiskTrouble {
  readonly sentence: string;
  readonly summary: string;
}

/**
 * What the file at a place holds now, and its permission bits; undefined: there is none. Never waits for a device or
 * pipe. What is no regular file or has more than `READ_FILE_BYTES` is a failure.
 */
export async function readState(place: FilePlace): Promise<Result<FileState | undefined, DiskTrouble>> {
  let handle: FileHandle | undefined;
  try {
    // Asked before opening: opening alone can wait for a pipe's other end or set a device going.
    const kind = await lstat(place.real);
    if (kind.isDirectory()) return failed(trouble(`${place.shown} is a folder.`, 'a folder'));
    if (!kind.isFile()) return failed(trouble(`${place.shown} is no regular file.`, 'no file'));
    handle = await openConfined(place);
    if (handle === undefined) return failed(trouble(`${place.shown} was replaced meanwhile. Try again.`, 'changed'));
    const state = await stateOf(handle);
    if (state !== undefined) return succeeded(state);
    return failed(trouble(`${place.shown} has more than ${READ_FILE_BYTES / 1_048_576} MB, too much.`, 'too large'));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return succeeded(undefined);
    return failed(trouble(`${place.shown} cannot be read: ${reasonOf(error)}.`, 'cannot be read'));
  } finally {
    await handle?.close();
  }
}

/** What an open file holds, whole; undefined: more than `READ_FILE_BYTES`. Throws what reading throws. */
export async function stateOf(handle: FileHandle): Promise<FileState | undefined> {
  const bytes = await readSlice(handle, 0, READ_FILE_BYTES + 1, never);
  return bytes.length > READ_FILE_BYTES ? undefined : { bytes, mode: await modeOf(handle) };
}

/** Permission bits of an open file; 0 where the system has none. */
export async function modeOf(handle: Pick<FileHandle, 'stat'>): Promise<number> {
  return process.platform === 'win32' ? 0 : (await handle.stat()).mode & PERMISSIONS;
}

/** Why the system refused, in words that go after a colon. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error);
  switch (code) {
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the quota of the disk is used up';
    case 'EACCES':
    case 'EPERM':
      return 'access is denied';
    case 'EROFS':
      return 'the disk can only be read';
    case 'ENOTDIR':
      return 'what should be a folder on its way is a file';
    default:
      return code;
  }
}

function trouble(sentence: string, summary: string): DiskTrouble {
  return { sentence, summary };
}
