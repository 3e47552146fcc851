import { decodeTime } from 'ulid';
import { Connection } from '../connection';
import { listOwners, makeFolders, ownerFile, presence, removeOwnerFile, type StorageFiles } from '../files';
import { StorageError } from '../storageError';

/** A file younger than this (ms) may be one whose window has not locked it yet. */
const SETTLED_MS = 60_000;

/**
 * The sign of life of this window: an exclusive lock on a file of its own, which the operating system drops when the
 * process ends, however it ends.
 */
export class OwnerLock {
  readonly owner: string;
  readonly #connection: Connection;
  readonly #files: StorageFiles;

  private constructor(owner: string, connection: Connection, files: StorageFiles) {
    this.owner = owner;
    this.#connection = connection;
    this.#files = files;
  }

  /** Takes the lock before any row can name `owner`, a new ULID. Throws {@link StorageError}. */
  static async take(files: StorageFiles, owner: string): Promise<OwnerLock> {
    await makeFolders(files).catch((error: unknown) => {
      throw new StorageError('transient', 'FOLDER', String(error), 'The folder for the history cannot be made.');
    });
    const file = ownerFile(files, owner);
    const connection = await Connection.open(file, 'create', 0);
    try {
      await connection.exclusive((statements) => statements.run('BEGIN EXCLUSIVE'));
      // Another window may have taken the file for one of a dead window, and removed it before it was locked.
      if ((await presence(file)) === 'missing')
        throw new StorageError('transient', 'OWNER', 'owner file removed', 'The history file cannot be opened.');
    } catch (error) {
      await connection.close();
      throw error;
    }
    return new OwnerLock(owner, connection, files);
  }

  /** Whether others find it. Its file can be removed while it is held: then this window counts as dead. */
  async isSeen(): Promise<boolean> {
    return (await presence(ownerFile(this.#files, this.owner))) !== 'missing';
  }

  /** Lets go of a lock whose file is gone; at its place there may be another one by now. */
  letGo(): Promise<void> {
    return this.#connection.close();
  }

  async release(): Promise<void> {
    await this.#connection.close();
    await removeOwnerFile(this.#files, this.owner);
  }
}

/**
 * Whether the window named `owner` still lives. Dead only when its lock could be had or its file is missing; any other
 * answer counts as alive (a frozen window does, too).
 */
export async function isAlive(files: StorageFiles, owner: string): Promise<boolean> {
  return (await ifDead(files, owner, () => Promise.resolve())) === 'alive';
}

/**
 * Removes the files of windows that are gone, and answers how many. Only old ones: a new file may not be locked yet.
 * `now` in epoch ms.
 */
export async function removeDeadOwners(files: StorageFiles, self: string, now: number): Promise<number> {
  let removed = 0;
  for (const owner of await listOwners(files)) {
    if (owner === self || !isSettled(owner, now)) continue;
    // While the lock is held, so that no window takes it in between. Where a file in use cannot be removed, afterwards.
    const state = await ifDead(files, owner, () => removeOwnerFile(files, owner));
    if (state !== 'dead') continue;
    await removeOwnerFile(files, owner);
    removed += 1;
  }
  return removed;
}

/** Runs `then` while the lock of a dead window is held. */
async function ifDead(
  files: StorageFiles,
  owner: string,
  then: () => Promise<void>,
): Promise<'alive' | 'dead' | 'missing'> {
  const file = ownerFile(files, owner);
  if ((await presence(file)) === 'missing') return 'missing';
  let connection: Connection;
  try {
    connection = await Connection.open(file, 'existing', 0);
  } catch {
    return (await presence(file)) === 'missing' ? 'missing' : 'alive';
  }
  try {
    await connection.exclusive(async (statements) => {
      await statements.run('BEGIN EXCLUSIVE');
      await then();
      await statements.run('ROLLBACK');
    });
    return 'dead';
  } catch {
    return 'alive';
  } finally {
    await connection.close();
  }
}

function isSettled(owner: string, now: number): boolean {
  try {
    return decodeTime(owner) < now - SETTLED_MS;
  } catch {
    return false; // Not a name of ours: leave it alone.
  }
}
