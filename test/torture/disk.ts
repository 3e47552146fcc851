import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Undo } from './undo';

const MEGABYTE = 1_048_576;

/** Where the history lies: a disk of its own that can be made full, or a plain folder where mounting is refused. */
export class Disk {
  /** The folder of the history file. */
  readonly folder: string;
  readonly #mountPoint: string | undefined;

  private constructor(folder: string, mountPoint: string | undefined) {
    this.folder = folder;
    this.#mountPoint = mountPoint;
  }

  /** Mounts a small disk below `base`, where that is allowed. */
  static make(base: string, megabytes: number, undo: Undo): Disk {
    const mountPoint = join(base, 'disk');
    mkdirSync(mountPoint, { recursive: true });
    const mounted = runs('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', mountPoint]);
    if (mounted) {
      // Lazily: a process of ours that is just dying must not keep it.
      undo.add(() => runs('umount', ['--lazy', mountPoint]));
    }
    const folder = join(mountPoint, 'history');
    mkdirSync(folder);
    return new Disk(folder, mounted ? mountPoint : undefined);
  }

  get canBeFull(): boolean {
    return this.#mountPoint !== undefined;
  }

  /** Fills what is free. The answer empties it again. */
  fill(undo: Undo): () => void {
    const ballast = join(this.#mountPoint ?? '', 'ballast');
    const descriptor = openSync(ballast, 'w');
    for (const block of [MEGABYTE, 4_096]) {
      const zeros = Buffer.alloc(block);
      try {
        for (;;) writeSync(descriptor, zeros);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
    }
    closeSync(descriptor);
    return undo.add(() => rmSync(ballast, { force: true }));
  }

  /** The end is to be written without want of room. */
  makeRoom(): void {
    if (this.#mountPoint === undefined) return;
    const { blocks, bsize } = statfsSync(this.#mountPoint);
    const megabytes = Math.round((blocks * bsize * 2) / MEGABYTE);
    runs('mount', ['-o', `remount,size=${megabytes}m`, this.#mountPoint]);
  }
}

/** Takes away the disks of runs that were killed before they could do it themselves. */
export function removeDisksOfTheDead(runs_: string): void {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  for (const mountPoint of mounts.map((line) => line.split(' ')[1] ?? '')) {
    if (!mountPoint.startsWith(`${runs_}/`)) continue;
    const pid = Number(/\.(\d+)\/disk$/.exec(mountPoint)?.[1]);
    if (!isAlive(pid)) runs('umount', ['--lazy', mountPoint]);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
