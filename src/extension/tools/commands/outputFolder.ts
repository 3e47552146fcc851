import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { COMMAND_NAME_MS } from '../../base/limits';

/** How the names begin that files and pipes of commands have for a moment. */
export const OUTPUT_NAME = 'holdfast-output-';

/**
 * Makes the folder for what commands print, and removes what windows that died left there. Where it cannot be made, the
 * system's folder for such files stands in, which may be in memory. Never throws. `now` in epoch milliseconds.
 */
export async function outputFolder(folder: string, now: number): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) if (name.startsWith(OUTPUT_NAME)) await removeOld(folder, name, now);
    return folder;
  } catch {
    return tmpdir();
  }
}

/** What is new may be about to be opened, by this window or another one. */
async function removeOld(folder: string, name: string, now: number): Promise<void> {
  const file = path.join(folder, name);
  try {
    if ((await stat(file)).mtimeMs < now - COMMAND_NAME_MS) await unlink(file);
  } catch {
    // It is gone, or not ours to remove.
  }
}
