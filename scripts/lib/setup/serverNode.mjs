/** The Node that runs the VS Code server: it needs a newer one than this project does. */
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCache } from '../paths.mjs';
import { Trouble } from '../say.mjs';
import { unpackFromNpm } from './npmArchive.mjs';

const VERSION = '24.22.3';

/** @type {Record<string, string>} */
const INTEGRITY = {
  'linux-x64': 'sha512-KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
  'linux-arm64': 'sha512-IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw==',
};

/**
 * @param {(what: string) => void} tell
 * @returns {Promise<string>} path of the program
 */
export async function setUpServerNode(tell) {
  const platform = `${process.platform}-${process.arch}`;
  const integrity = INTEGRITY[platform];
  if (!integrity) return runningNode(platform);

  const folder = fromCache(`node-${VERSION}`);
  const node = join(folder, 'bin', 'node');
  if (existsSync(node)) return node;
  tell(`fetching Node ${VERSION}, which runs the VS Code server`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await unpackFromNpm({ name: `node-${platform}`, version: VERSION, integrity }, partial, [
    '--strip-components=1',
    'package/bin/node',
    'package/LICENSE',
  ]);
  await rename(partial, folder);
  return node;
}

/** @param {string} platform */
function runningNode(platform) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  // The server imports `registerHooks`, which came with 22.15.
  if (major > 22 || (major === 22 && minor >= 15)) return process.execPath;
  throw new Trouble(
    `The VS Code server needs Node 22.15 or newer, and there is no ready-made one for ${platform}. ` +
      `Install a newer Node than ${process.versions.node} and run the same command again.`,
  );
}
