import { access, constants, mkdir, readdir, realpath, stat, statfs, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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

/** What the system says of the place of a folder: its type of `statfs`, its path without links. Undefined: nothing. */
export interface FolderFacts {
  readonly type: number | undefined;
  readonly realPath: string | undefined;
}

export async function folderFacts(files: StorageFiles): Promise<FolderFacts> {
  const [facts, realPath] = await Promise.all([
    statfs(files.owners).catch(() => undefined),
    realpath(files.owners).catch(() => undefined),
  ]);
  return { type: facts?.type, realPath };
}

/** Whether nobody can write in the folder, and whether the file's log of changes is empty or missing. */
export interface FileFacts {
  readonly isReadOnly: boolean;
  readonly hasNoLog: boolean;
}

export async function fileFacts(files: StorageFiles): Promise<FileFacts> {
  const [isReadOnly, log] = await Promise.all([
    access(dirname(files.database), constants.W_OK).then(
      () => false,
      () => true,
    ),
    stat(`${files.database}-wal`).catch(() => undefined),
  ]);
  return { isReadOnly, hasNoLog: (log?.size ?? 0) === 0 };
}

/** Which file stands at the place of the database: `missing`, `unknown` when the system does not say, else its identity. */
export async function databaseIdentity(files: StorageFiles): Promise<string> {
  try {
    const { dev, ino } = await stat(files.database, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'unknown';
  }
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
