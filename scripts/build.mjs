/**
 * Bundles the extension host's code and the webview's into `dist/`.
 * `--production` minifies and leaves source maps out; `--watch` rebuilds at every change.
 */
import { realpathSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readArgs } from './lib/args.mjs';
import { fromRoot, ROOT } from './lib/paths.mjs';
import { runMain, say, seconds, Trouble } from './lib/say.mjs';
import { setUp } from './setup.mjs';

/** Files that the webview loads as they are. */
const COPIED = ['codicon.css', 'codicon.ttf'];

/** @param {boolean} production @returns {import('esbuild').BuildOptions} */
const common = (production) => ({
  absWorkingDir: ROOT,
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  logLevel: 'silent',
});

/** @param {boolean} production @returns {import('esbuild').BuildOptions} */
const host = (production) => ({
  ...common(production),
  entryPoints: ['src/extension/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // The log and error reports name functions and error classes.
  keepNames: true,
  // The first exists only inside VS Code; the second finds its native part relative to its own folder.
  external: ['vscode', '@vscode/sqlite3'],
});

/** @param {boolean} production @returns {import('esbuild').BuildOptions} */
const webview = (production) => ({
  ...common(production),
  entryPoints: [
    { in: 'src/webview/main.tsx', out: 'main' },
    { in: 'src/webview/styles/main.css', out: 'main' },
  ],
  outdir: 'dist/webview',
  platform: 'browser',
  format: 'esm',
  splitting: true,
  target: 'chrome120',
  jsx: 'automatic',
  jsxImportSource: 'preact',
});

/**
 * @param {{ production?: boolean, watch?: boolean }} [options]
 */
export async function build({ production = false, watch = false } = {}) {
  const esbuild = await import('esbuild');
  await rm(fromRoot('dist'), { recursive: true, force: true });
  await mkdir(fromRoot('dist', 'webview'), { recursive: true });
  for (const name of COPIED) {
    await copyFile(fromRoot('node_modules', '@vscode', 'codicons', 'dist', name), fromRoot('dist', 'webview', name));
  }
  const bundles = [host(production), webview(production)];
  if (watch) {
    for (const bundle of bundles) await (await esbuild.context({ ...bundle, logLevel: 'info' })).watch();
    return;
  }
  try {
    for (const bundle of bundles) await esbuild.build(bundle);
  } catch (error) {
    const { errors } = /** @type {import('esbuild').BuildFailure} */ (error);
    if (!errors) throw error;
    throw new Trouble((await esbuild.formatMessages(errors, { kind: 'error' })).join('\n'));
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const options = readArgs(
      { production: { type: 'boolean' }, watch: { type: 'boolean' } },
      'npm run build -- [--production] [--watch]',
    );
    await setUp(['modules']);
    const since = Date.now();
    await build(options);
    say(options.watch ? 'Watching for changes; Ctrl-C ends it.' : `Built dist/ in ${seconds(since)}`);
  });
}
