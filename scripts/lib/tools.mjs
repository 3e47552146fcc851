/** The programs that set-up provides, by path. Written to a file so that the TypeScript under `test/` finds them too. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fromCache } from './paths.mjs';

/**
 * @typedef {object} Tools
 * @property {string} [serverNode] the Node that runs the VS Code server
 * @property {string} [vscodeServer] the entry of the VS Code server
 * @property {string} [chromium] the browser
 */

const FILE = fromCache('tools.json');

/** @returns {Promise<Tools>} */
async function readTools() {
  try {
    return JSON.parse(await readFile(FILE, 'utf8'));
  } catch {
    return {};
  }
}

/** @param {Tools} found */
export async function rememberTools(found) {
  await mkdir(dirname(FILE), { recursive: true });
  await writeFile(FILE, JSON.stringify({ ...(await readTools()), ...found }, null, 2));
}
