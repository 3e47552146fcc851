/** The torture of the history file, bundled from `test/torture/` so that this Node can run it and its processes. */
import { pathToFileURL } from 'node:url';
import { rm } from 'node:fs/promises';
import { fromOut, ROOT } from './paths.mjs';

/** @typedef {typeof import('../../test/torture/orchestra') & typeof import('../../test/torture/report') & typeof import('../../test/torture/problem')} Torture */

const PROGRAMS = fromOut('torture-programs');

/** @returns {Promise<Torture>} */
async function loadTorture() {
  const esbuild = await import('esbuild');
  await rm(PROGRAMS, { recursive: true, force: true });
  const names = ['orchestra', 'report', 'problem', 'worker', 'observer', 'lockHolder'];
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => `test/torture/${name}.ts`),
    outdir: PROGRAMS,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const load = (/** @type {string} */ name) => import(pathToFileURL(`${PROGRAMS}/${name}.mjs`).href);
  return { ...(await load('orchestra')), ...(await load('report')), ...(await load('problem')) };
}

/** Why it cannot run on this system, if so. */
export const whyNoTorture = () =>
  process.platform === 'linux' ? undefined : 'The torture uses signals, mounts and file flags of Linux.';

/**
 * @param {{ seconds: number, seed: number, tell: (line: string) => void }} options
 */
export async function runTortureFor(options) {
  const loaded = await loadTorture();
  const result = await loaded.torture({ ...options, runs: fromOut('torture'), programs: PROGRAMS });
  return { ...loaded, result };
}
