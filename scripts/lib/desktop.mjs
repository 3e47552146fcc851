/** The desktop VS Code that the person has installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { which } from './command.mjs';
import { fromCache, ROOT } from './paths.mjs';
import { Trouble } from './say.mjs';
import { loadWorkbench } from './support.mjs';

/** The program to start; `VSCODE_EXECUTABLE` names it where it is not on the PATH. */
function findDesktop() {
  const named = process.env.VSCODE_EXECUTABLE;
  if (named && !existsSync(named)) throw new Trouble(`VSCODE_EXECUTABLE names ${named}, and there is no such file.`);
  const found = named || which('code') || which('codium');
  if (found) return found;
  throw new Trouble(
    'No desktop VS Code was found: "code" is not on the PATH. Run "Shell Command: Install \'code\' command in PATH" in VS Code, ' +
      'or set VSCODE_EXECUTABLE to its program. Without --desktop, `npm start` needs none.',
  );
}

/**
 * Opens a window with the extension from the working tree, with settings and extensions of its own.
 * @param {{ folder: string, settings: Record<string, unknown> }} options
 */
export async function startDesktop({ folder, settings }) {
  const program = findDesktop();
  const { processTree } = await loadWorkbench();
  const dataDir = fromCache('start', 'desktop');
  await mkdir(join(dataDir, 'User'), { recursive: true });
  await writeFile(join(dataDir, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
  const child = spawn(
    program,
    [
      '--wait',
      '--new-window',
      `--extensionDevelopmentPath=${ROOT}`,
      `--user-data-dir=${dataDir}`,
      `--extensions-dir=${join(dataDir, 'extensions')}`,
      folder,
    ],
    { stdio: 'ignore', shell: process.platform === 'win32', detached: process.platform !== 'win32' },
  );
  const { pid } = child;
  if (pid === undefined) throw new Trouble(`${program} could not be started.`);
  const ended = once(child, 'close').then(() => undefined);
  return {
    ended,
    stop: async () => {
      await processTree.endTree(pid);
      await ended;
    },
  };
}
