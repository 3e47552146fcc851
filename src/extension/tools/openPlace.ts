import { constants } from 'node:fs';
import { lstat, mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { isFileAt, stillConfined } from './confine';
import type { FilePlace } from './filePlace';

/**
 * Opens a file that is there for reading and writing in place, without waiting for a device or pipe. Opening changes
 * nothing. What is opened is checked to be the file at that place, whatever happened to the folders since it was located;
 * undefined when it is not, or is no regular file. Throws what opening throws.
 */
export async function openToChange(place: FilePlace): Promise<FileHandle | undefined> {
  // Asked before opening: opening alone can wait for a pipe's other end or set a device going.
  if (!(await lstat(place.real)).isFile()) return undefined;
  const handle = await open(place.real, constants.O_RDWR | noFollow | nonBlocking);
  if (await isRegularFileAt(handle, place)) return handle;
  await handle.close();
  return undefined;
}

/**
 * Makes a file that is not there, with the folders on its way, and opens it for writing. Undefined when a folder on the way
 * was replaced by something else since it was located. Throws what the system throws, `EEXIST` when there is a file by now.
 * `mode`: permission bits, of which the process may take some away.
 */
export async function openToCreate(place: FilePlace, mode = 0o666): Promise<FileHandle | undefined> {
  const folder = path.dirname(place.real);
  const held = await openFolder(folder);
  if (held === undefined) return undefined;
  try {
    const handle = await open(held.pathOf(path.basename(place.real)), CREATE, mode);
    if (await isRegularFileAt(handle, place)) return handle;
    await handle.close();
    // Only where no folder can be held open: it is ours, empty, and elsewhere than was allowed.
    if (held.handle === undefined) await unlink(place.real).catch(() => undefined);
    return undefined;
  } finally {
    await held.handle?.close();
  }
}

/**
 * Removes the file that is open, if it is still what its name stands for; false when it is not. Throws what the system
 * throws.
 */
export async function removeOpened(place: FilePlace, opened: FileHandle): Promise<boolean> {
  const held = await hold(path.dirname(place.real));
  if (held === undefined) return false;
  try {
    if (!(await isRegularFileAt(opened, place))) return false;
    await unlink(held.pathOf(path.basename(place.real)));
    return true;
  } finally {
    await held.handle?.close();
  }
}

/** A folder in which something can be made, whatever its name leads to meanwhile. */
interface HeldFolder {
  /** Undefined where only names can be used. */
  readonly handle: FileHandle | undefined;
  /** How the system is told of an entry. */
  pathOf(name: string): string;
}

const CREATE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

// Windows has neither.
const noFollow = constants.O_NOFOLLOW ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;

async function isRegularFileAt(handle: FileHandle, place: FilePlace): Promise<boolean> {
  try {
    return (await handle.stat()).isFile() && (await isFileAt(handle, place));
  } catch {
    // Gone in the meantime: not the file that was meant.
    return false;
  }
}

/**
 * A folder, made with those around it when they are missing; undefined when it is not the one at that path by now. Only
 * Linux can name something in an open folder; elsewhere the name is checked, which leaves a gap for whoever swaps folders at
 * the right moment.
 */
async function openFolder(folder: string): Promise<HeldFolder | undefined> {
  const above = path.dirname(folder);
  if (above !== folder && !(await isFolder(folder))) {
    const held = await openFolder(above);
    if (held === undefined) return undefined;
    try {
      await mkdir(held.pathOf(path.basename(folder)));
    } catch (error) {
      // Someone else has just made it.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      await held.handle?.close();
    }
  }
  return hold(folder);
}

async function hold(folder: string): Promise<HeldFolder | undefined> {
  if (process.platform !== 'linux') {
    const there = await stillConfined({ real: folder });
    return there ? { handle: undefined, pathOf: (name) => path.join(folder, name) } : undefined;
  }
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  if (await isFileAt(handle, { real: folder })) {
    return { handle, pathOf: (name) => `/proc/self/fd/${handle.fd}/${name}` };
  }
  await handle.close();
  return undefined;
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await lstat(folder)).isDirectory();
  } catch {
    return false;
  }
}
