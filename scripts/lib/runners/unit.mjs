/** Unit and component tests: Vitest, under Node and happy-dom. */
import { rm } from 'node:fs/promises';
import { nodeModule } from '../command.mjs';
import { literalInAnyCase } from '../grep.mjs';
import { fromOut, fromRoot } from '../paths.mjs';
import { broken, readReport } from './outcome.mjs';
import { STRAY_ERRORS } from './strayErrors.mjs';

/** What is shown of the output of a run that failed for no reason that its reports name. */
const LAST_LINES = 30;

/**
 * @param {{ grep?: string | undefined }} options
 * @returns {Promise<import('./outcome.mjs').Outcome>}
 */
export async function runUnit({ grep }) {
  const file = fromOut('test', 'unit.json');
  for (const left of [file, STRAY_ERRORS]) await rm(left, { force: true });
  const reporters = ['default', 'json', fromRoot('scripts', 'lib', 'runners', 'strayErrors.mjs')];
  const args = [
    'run',
    '--passWithNoTests',
    `--outputFile.json=${file}`,
    ...reporters.map((each) => `--reporter=${each}`),
  ];
  if (grep) args.push('--testNamePattern', literalInAnyCase(grep));
  const { code, output } = await nodeModule('vitest/vitest.mjs', args, {
    show: true,
    // It warns of a default that a later version will have.
    env: { ...process.env, VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' },
  });
  const report = await readReport(file);
  if (!report) return broken('unit', 'Vitest ended without a report.');

  /** @type {import('./outcome.mjs').Failure[]} */
  const failures = [];
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failed = assertionResults.filter((/** @type {any} */ each) => each.status === 'failed');
    for (const each of failed) failures.push({ name: each.fullName, message: each.failureMessages.join('\n') });
    // A file that could not even be loaded has no tests of its own.
    if (status === 'failed' && failed.length === 0) failures.push({ name, message });
  }
  failures.push(...((await readReport(STRAY_ERRORS)) ?? []));
  if (code !== 0 && failures.length === 0) {
    const lines = output.trimEnd().split('\n').slice(-LAST_LINES);
    failures.push({ name: 'unit', message: [`Vitest ended with code ${code}. It said last:`, ...lines].join('\n') });
  }
  return { passed: report.numPassedTests, skipped: report.numPendingTests + report.numTodoTests, failures };
}
