import { stat } from 'node:fs/promises';
import { failed, type Result } from '../../base/result';
import { locate, type FilePlace } from '../filePlace';
import { refused, type ToolOutcome } from '../tool';
import type { ToolHost } from '../toolHost';

/**
 * The folder in which a command is to run, as the model wrote it. One outside the workspace folder is answered whether
 * it exists or not: to find that out takes leave.
 */
export async function commandFolder(
  host: Pick<ToolHost, 'root' | 'ownFolders' | 'home'>,
  written: string,
): Promise<Result<FilePlace, ToolOutcome>> {
  const located = await locate(host, written, 'existing');
  if (!located.ok || located.value.outside || (await isFolder(located.value.real))) return located;
  return failed(refused(`${located.value.shown} is no folder.`, 'no folder'));
}

async function isFolder(real: string): Promise<boolean> {
  try {
    return (await stat(real)).isDirectory();
  } catch {
    return false;
  }
}
