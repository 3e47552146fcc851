/** The long run and the real silence, bundled from `test/longrun/` so that this Node can run them. */
import { loadBundles } from './bundles.mjs';
import { fromOut } from './paths.mjs';

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

export const loadLongRun = async () => /** @type {LongRun} */ (await loadBundles(BUNDLES, MODULES));
