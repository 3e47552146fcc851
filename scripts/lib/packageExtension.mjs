/** Puts `dist/` and the native parts of this platform into a VSIX. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeModule } from './command.mjs';
import { fromOut, OUT } from './paths.mjs';
import { Trouble } from './say.mjs';
import { zipListing } from './zipListing.mjs';

/** What a VSIX that works must hold. The rest of `.vscodeignore`'s list may be missing. */
const REQUIRED = [
  /^extension\/package\.json$/,
  /^extension\/LICENSE(\.txt)?$/i,
  /^extension\/dist\/extension\.js$/,
  /^extension\/dist\/webview\/main\.js$/,
  /^extension\/dist\/webview\/main\.css$/,
  /^extension\/dist\/webview\/codicon\.ttf$/,
  /^extension\/node_modules\/@vscode\/sqlite3\/lib\/sqlite3\.js$/,
  /^extension\/node_modules\/@vscode\/sqlite3\/build\/Release\/vscode-sqlite3\.node$/,
  /^extension\/node_modules\/@vscode\/ripgrep-[^/]+\/bin\/rg(\.exe)?$/,
];

/** What must never be in one: sources, tests, source maps. */
const FORBIDDEN = /\.(map|ts|tsx|c|cc|h|o|a|gyp)$|\/(test|scripts|src|\.cache)\//;

/**
 * Packages what has been built.
 * @returns {Promise<{ file: string, files: number, bytes: number }>}
 */
export async function packageExtension() {
  const target = `${process.platform}-${process.arch}`;
  const file = fromOut(`holdfast-${target}.vsix`);
  await mkdir(OUT, { recursive: true });
  // Tests install the one that is there, so no older one may stay.
  for (const name of await readdir(OUT)) if (name.endsWith('.vsix')) await rm(join(OUT, name));
  const { code, output } = await nodeModule('@vscode/vsce/vsce', ['package', '--target', target, '--out', file]);
  if (code !== 0) throw new Trouble(`vsce could not package the extension:\n${output}`);

  const names = await zipListing(file);
  const missing = REQUIRED.filter((pattern) => !names.some((name) => pattern.test(name)));
  const forbidden = names.filter((name) => FORBIDDEN.test(name));
  if (missing.length > 0 || forbidden.length > 0) {
    throw new Trouble(
      `The VSIX is not as it must be; correct .vscodeignore.\nMissing: ${missing.join(' ') || 'nothing'}\n` +
        `Not wanted: ${forbidden.join(' ') || 'nothing'}\nIt holds:\n${names.join('\n')}`,
    );
  }
  return { file, files: names.length, bytes: (await stat(file)).size };
}
