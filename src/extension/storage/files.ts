import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The only file operations that storage may use beside SQLite: closing any descriptor of a live database file drops
 * SQLite's locks (measured: acknowledged commits lost while quick_check says ok), so nothing here ever opens one.
 */

export interface StorageFiles {
  readonly database: string;
  /** Holds one small database per window, locked while the window lives. */
  readonly owners: string;
}

/** Where things stand in the folder that the editor gives the extension. */
export function storageFiles(folder: string): StorageFiles {
  return { database: join(folder, 'holdfast.db'), owners: join(folder, 'owners') };
}

export function ownerFile(files: StorageFiles, owner: string): string {
  return join(files.owners, `${owner}.db`);
}

export async function makeFolders(files: StorageFiles): Promise<void> {
  await mkdir(files.owners, { recursive: true });
}

/** `missing` only when the file system says so; `unknown` when it cannot tell. */
export async function presence(file: string): Promise<'present' | 'missing' | 'unknown'> {
  try {
    await stat(file);
    return 'present';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'unknown';
  }
}

/** The owners that have a file, dead or alive. */
export async function listOwners(files: StorageFiles): Promise<readonly string[]> {
  const names = await readdir(files.owners).catch(() => []);
  return names.filter((name) => name.endsWith('.db')).map((name) => name.slice(0, -'.db'.length));
}

/** Removes an owner file whose lock the caller has just held, with every connection to it closed. */
export async function removeOwnerFile(files: StorageFiles, owner: string): Promise<void> {
  await unlink(ownerFile(files, owner)).catch(() => undefined);
}
