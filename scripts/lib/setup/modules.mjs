/** The packages in `node_modules`. */
import { readFile } from 'node:fs/promises';
import { npm } from '../command.mjs';
import { fromRoot } from '../paths.mjs';
import { Trouble } from '../say.mjs';

/**
 * Runs `npm ci` unless what is installed is what the lock file asks for, however it was installed.
 * @param {(what: string) => void} tell
 */
export async function setUpModules(tell) {
  if (await isInstalled()) return;
  tell('installing the packages (npm ci)');
  const { code, output } = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  if (code !== 0) {
    throw new Trouble(
      `npm ci failed:\n${output}\nCheck the connection to your npm registry and run the same command again.`,
    );
  }
}

async function isInstalled() {
  const [wanted, installed] = await Promise.all(
    // The second file is npm's own record of what it put there.
    ['package-lock.json', 'node_modules/.package-lock.json'].map(readPackages),
  );
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true;
    // An optional package may be meant for another platform.
    if (!installed[path]) return optional || devOptional;
    return installed[path].version === version;
  });
}

/**
 * @param {string} path
 * @returns {Promise<Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> | undefined>}
 */
async function readPackages(path) {
  try {
    return JSON.parse(await readFile(fromRoot(path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
