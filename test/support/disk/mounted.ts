import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small file system in memory, mounted for a test. */
export class MountedDisk {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Mounts one of so many bytes, or answers undefined where that is not possible or not allowed. */
  static async mount(bytes: number): Promise<MountedDisk | undefined> {
    if (process.platform !== 'linux') return undefined;
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-disk-'));
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', folder]);
      return new MountedDisk(folder);
    } catch {
      await rmdir(folder);
      return undefined;
    }
  }

  /** Lets nothing on it be changed from now on, or all again. Fails while a file on it is open for writing. */
  async readOnly(on: boolean): Promise<void> {
    await run('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, this.folder]);
  }

  async dispose(): Promise<void> {
    await run('umount', ['--lazy', this.folder]);
    await rmdir(this.folder);
  }
}
