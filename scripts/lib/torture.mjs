/** The torture of the history file, bundled from `test/torture/` so that this Node can run it and its processes. */
import { rm } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { fromOut, ROOT } from './paths.mjs';

/**
 * @typedef {object} Torture
 * @property {typeof import('../../test/torture/orchestra')} orchestra
 * @property {typeof import('../../test/torture/report')} report
 * @property {typeof import('../../test/torture/problem')} problem
 */

const PROGRAMS = fromOut('torture-programs');

/** Why it cannot run on this system, if so. */
export const whyNoTorture = () =>
  process.platform === 'linux' ? undefined : 'the torture uses signals, mounts and file flags of Linux';

/** @returns {Promise<Torture>} */
export async function loadTorture() {
  const esbuild = await import('esbuild');
  const modules = /** @type {const} */ (['orchestra', 'report', 'problem']);
  await rm(PROGRAMS, { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: [...modules, 'worker', 'observer', 'lockHolder'].map((name) => `test/torture/${name}.ts`),
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
  const loaded = await Promise.all(modules.map((name) => import(pathToFileURL(`${PROGRAMS}/${name}.mjs`).href)));
  return /** @type {any} */ (Object.fromEntries(modules.map((name, i) => [name, loaded[i]])));
}

/**
 * @param {Torture} torture
 * @param {{ seconds: number, seed: number, tell: (line: string) => void }} options
 */
export const runTortureFor = ({ orchestra }, options) =>
  orchestra.torture({ ...options, runs: fromOut('torture'), programs: PROGRAMS });

/** A seed for those who gave none. */
export const anySeed = () => 1 + Math.floor(Math.random() * 1e9);
