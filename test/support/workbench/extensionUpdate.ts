import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VsCodeServer } from './server';

const ID = 'holdfast.holdfast';

interface Installed {
  readonly identifier: { readonly id: string };
  readonly version: string;
  readonly location: { readonly path: string };
  readonly relativeLocation: string;
}

/**
 * Installs the extension once more under a higher version, as an update does while windows are open: they go on with the
 * old one until they are reloaded. Answers the folder of the new one, which web pages of the extension are loaded from.
 */
export async function updateExtension(server: VsCodeServer): Promise<string> {
  const extensions = join(server.dataDir, 'extensions');
  const list = join(extensions, 'extensions.json');
  const installed = JSON.parse(await readFile(list, 'utf8')) as readonly Installed[];
  const old = installed.find(({ identifier }) => identifier.id === ID);
  if (old === undefined) throw new Error(`${ID} is not installed in ${extensions}`);
  const version = old.version.replace(/\d+$/, (patch) => String(Number(patch) + 1));
  const folder = `${ID}-${version}`;
  await cp(join(extensions, old.relativeLocation), join(extensions, folder), { recursive: true });
  const manifest = join(extensions, folder, 'package.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(`"version": "${old.version}"`, `"version": "${version}"`));
  const path = join(extensions, folder);
  const updated = { ...old, version, location: { $mid: 1, path, scheme: 'file' }, relativeLocation: folder };
  await writeFile(list, JSON.stringify(installed.map((each) => (each === old ? updated : each))));
  return folder;
}
