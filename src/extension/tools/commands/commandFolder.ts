import { realpath, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { failed, succeeded, type Result } from '../../base/result';
import { confine } from '../confine';
import { refused, type ToolOutcome } from '../tool';

/** The folder in which a command runs. */
export interface CommandFolder {
  /** Real path. */
  readonly cwd: string;
  /** Seen from the workspace folder, `.` for itself; the real path when it lies outside. */
  readonly folder: string;
  readonly outside: boolean;
}

/** The folder as the model wrote it. Other than files, it may lie outside: then the person is asked. */
export async function commandFolder(root: string, written: string): Promise<Result<CommandFolder, ToolOutcome>> {
  const confined = await confine(root, written);
  const real = confined.ok ? confined.value.real : await realFolder(root, written);
  // The words say the same of all that lies outside and is no folder.
  if (real === undefined && !confined.ok) return confined;
  if (real === undefined || !(await isFolder(real))) return failed(refused(`${written} is no folder.`, 'no folder'));
  return succeeded(
    confined.ok
      ? { cwd: real, folder: confined.value.shown, outside: false }
      : { cwd: real, folder: real, outside: true },
  );
}

async function realFolder(root: string, written: string): Promise<string | undefined> {
  if (written.includes('\0')) return undefined;
  try {
    const real = await realpath(path.resolve(root, written));
    return (await isFolder(real)) ? real : undefined;
  } catch {
    return undefined;
  }
}

async function isFolder(real: string): Promise<boolean> {
  try {
    return (await stat(real)).isDirectory();
  } catch {
    return false;
  }
}
