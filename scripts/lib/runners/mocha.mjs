/** The suites under `test/integration/`, which run inside an extension host: building them, and reading their report. */
import { readdir, rm } from 'node:fs/promises';
import { fromRoot, ROOT } from '../paths.mjs';
import { say } from '../say.mjs';
import { broken, readReport } from './outcome.mjs';

/** Where the bundled suites are; VS Code loads the folder's `index.js`. */
export const SUITES = fromRoot('dist-test');

/** Bundles every suite into a file of its own. */
export async function buildSuites() {
  const folder = 'test/integration';
  const names = (await readdir(fromRoot(folder))).filter((name) => name === 'index.ts' || name.endsWith('.test.ts'));
  await rm(SUITES, { recursive: true, force: true });
  const esbuild = await import('esbuild');
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: names.map((name) => `${folder}/${name}`),
    outdir: SUITES,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha', '@vscode/sqlite3'],
    logLevel: 'error',
  });
}

/**
 * Reads what Mocha left. The exit code alone proves nothing: a host that dies in the middle reports success.
 * @param {string} file
 * @param {number} code what the host answered
 * @param {string | undefined} grep
 * @returns {Promise<import('./outcome.mjs').Outcome>}
 */
export async function readMochaReport(file, code, grep) {
  const report = await readReport(file);
  if (!report?.stats?.end)
    return broken('integration', `The extension host ended (code ${code}) before the suites did.`);
  for (const { fullTitle, duration } of report.passes) say(`  ok     ${fullTitle} (${duration} ms)`);
  const failures = report.failures.map((/** @type {any} */ each) => ({
    name: each.fullTitle,
    message: each.err.stack ?? each.err.message,
  }));
  for (const { name } of failures) say(`  FAILED ${name}`);
  if (report.stats.tests === 0 && !grep) return broken('integration', 'No test was found in test/integration/.');
  if (code !== 0 && failures.length === 0) return broken('integration', `The extension host ended with code ${code}.`);
  return { passed: report.stats.passes, skipped: report.stats.pending, failures };
}
