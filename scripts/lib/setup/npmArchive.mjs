/** Parts that come from the npm registry but are no dependencies: fetched as archives, checked, unpacked. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { command, npm } from '../command.mjs';
import { fromCache } from '../paths.mjs';
import { Trouble } from '../say.mjs';

/**
 * @param {{ name: string, version: string, integrity: string }} archive
 * @param {string} target folder to unpack into
 * @param {readonly string[]} tarArgs which members, and how many leading folders to drop
 */
export async function unpackFromNpm({ name, version, integrity }, target, tarArgs) {
  await mkdir(fromCache(), { recursive: true });
  const folder = await mkdtemp(fromCache('download-'));
  try {
    const { code, stdout, output } = await npm(['pack', `${name}@${version}`, '--json', '--pack-destination', folder]);
    if (code !== 0) {
      throw new Trouble(
        `${name}@${version} could not be fetched:\n${output}\nCheck the connection to your npm registry and run the same command again.`,
      );
    }
    const file = join(folder, JSON.parse(stdout)[0].filename);
    const actual = `sha512-${createHash('sha512')
      .update(await readFile(file))
      .digest('base64')}`;
    if (actual !== integrity) {
      throw new Trouble(
        `${name}@${version} is not the file this project was tested with: ${actual}, expected ${integrity}.`,
      );
    }
    await mkdir(target, { recursive: true });
    const unpacked = await command('tar', ['-xzf', file, '-C', target, ...tarArgs]);
    if (unpacked.code !== 0) throw new Trouble(`${name}@${version} could not be unpacked: ${unpacked.output}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
