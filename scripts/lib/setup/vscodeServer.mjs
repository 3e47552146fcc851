/**
 * A real VS Code without a download of the desktop: the npm package `code-server` carries the whole VS Code server and
 * web workbench. Only that part is used, started by its own entry.
 */
import { existsSync } from 'node:fs';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { npm } from '../command.mjs';
import { fromCache } from '../paths.mjs';
import { Trouble } from '../say.mjs';
import { unpackFromNpm } from './npmArchive.mjs';

const ARCHIVE = {
  name: 'code-server',
  version: '4.139.1',
  integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};

/** Dependencies that only parts need which are left out here; some of them would have to be compiled. */
const UNUSED = [
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/copilot-api',
  '@vscode/sandbox-runtime',
  '@vscode/sqlite3',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
  'katex',
  'kerberos',
  'ssh2',
];

/**
 * @param {(what: string) => void} tell
 * @returns {Promise<string>} path of the server's entry
 */
export async function setUpVsCodeServer(tell) {
  const folder = fromCache(`vscode-server-${ARCHIVE.version}`);
  const entry = join(folder, 'out', 'server-main.js');
  if (existsSync(entry)) return entry;

  tell(`fetching the VS Code server (${ARCHIVE.name} ${ARCHIVE.version})`);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await unpackFromNpm(ARCHIVE, partial, [
    '--strip-components=3',
    '--exclude=package/lib/vscode/extensions/copilot/*',
    '--exclude=package/lib/vscode/extensions/mermaid-markdown-features/*',
    '--exclude=*.map',
    'package/lib/vscode',
  ]);
  await installDependencies(partial);
  await dropOtherPlatforms(partial);
  await rename(partial, folder);
  return entry;
}

/** @param {string} folder */
async function installDependencies(folder) {
  const manifest = join(folder, 'package.json');
  const json = JSON.parse(await readFile(manifest, 'utf8'));
  for (const name of UNUSED) delete json.dependencies[name];
  await writeFile(manifest, JSON.stringify(json));
  // Not `npm ci`: the package's shrinkwrap is incomplete, and `ci` refuses it.
  const installed = await npm(['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
  });
  if (installed.code !== 0) {
    throw new Trouble(`The packages of the VS Code server could not be installed:\n${installed.output}`);
  }
  // Compiling these two gives log files. Without them all else works, so a failure is no trouble.
  const headers = join(dirname(dirname(process.execPath)), 'include', 'node', 'node.h');
  const rebuild = ['rebuild', '@vscode/spdlog', '@vscode/native-watchdog', '--ignore-scripts=false'];
  if (existsSync(headers)) rebuild.push(`--nodedir=${dirname(dirname(process.execPath))}`);
  await npm(rebuild, { cwd: folder });
}

/** Native parts for other platforms are most of the size. @param {string} folder */
async function dropOtherPlatforms(folder) {
  const mine = `${process.platform}-${process.arch}`;
  for (const parent of ['@vscode/ripgrep-universal/bin', 'node-pty/prebuilds']) {
    const path = join(folder, 'node_modules', parent);
    const names = await readdir(path).catch(() => /** @type {string[]} */ ([]));
    if (!names.includes(mine)) continue;
    for (const name of names) if (name !== mine) await rm(join(path, name), { recursive: true, force: true });
  }
}
