/** The long run and the real silence, bundled from `test/longrun/` so that this Node can run them. */
import { rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { fromOut, ROOT } from './paths.mjs';

/**
 * @typedef {object} LongRun
 * @property {typeof import('../../test/longrun/longRun')} longRun
 * @property {typeof import('../../test/longrun/program')} program
 * @property {typeof import('../../test/longrun/report')} report
 * @property {typeof import('../../test/longrun/silence')} silence
 * @property {typeof import('../../src/extension/tools/ripgrep')} ripgrep
 */

const MODULES = {
  longRun: 'test/longrun/longRun.ts',
  program: 'test/longrun/program.ts',
  report: 'test/longrun/report.ts',
  silence: 'test/longrun/silence.ts',
  ripgrep: 'src/extension/tools/ripgrep.ts',
};

/** Where the modules are bundled to, and the program of the windows. */
const BUNDLES = fromOut('longrun-bundles');
export const PROGRAMS = fromOut('longrun-programs');

/** @returns {Promise<LongRun>} */
export async function loadLongRun() {
  const esbuild = await import('esbuild');
  await rm(BUNDLES, { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: MODULES,
    outdir: BUNDLES,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const names = Object.keys(MODULES);
  const loaded = await Promise.all(names.map((name) => import(pathToFileURL(`${BUNDLES}/${name}.mjs`).href)));
  return /** @type {any} */ (Object.fromEntries(names.map((name, i) => [name, loaded[i]])));
}
