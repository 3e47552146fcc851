/** The torture of the history file, bundled from `test/torture/` so that this Node can run it and its processes. */
import { loadBundles } from './bundles.mjs';
import { fromOut } from './paths.mjs';

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

const MODULES = {
  orchestra: 'test/torture/orchestra.ts',
  report: 'test/torture/report.ts',
  problem: 'test/torture/problem.ts',
};
const PROCESSES = {
  worker: 'test/torture/worker.ts',
  observer: 'test/torture/observer.ts',
  lockHolder: 'test/torture/lockHolder.ts',
};

export const loadTorture = async () => /** @type {Torture} */ (await loadBundles(PROGRAMS, MODULES, PROCESSES));

/**
 * @param {Torture} torture
 * @param {{ seconds: number, seed: number, tell: (line: string) => void }} options
 */
export const runTortureFor = ({ orchestra }, options) =>
  orchestra.torture({ ...options, runs: fromOut('torture'), programs: PROGRAMS });

/** A seed for those who gave none. */
export const anySeed = () => 1 + Math.floor(Math.random() * 1e9);
