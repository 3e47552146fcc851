/** End-to-end tests: Playwright clicks in the real workbench, with the packaged extension installed. */
import { mkdir, rm } from 'node:fs/promises';
import { nodeModule } from '../command.mjs';
import { literal } from '../grep.mjs';
import { fromOut } from '../paths.mjs';
import { broken, readReport } from './outcome.mjs';

const CLI = '@playwright/test/cli.js';

/**
 * @param {{ grep?: string | undefined, prepare: () => Promise<void> }} options `prepare` provides what the tests need: the
 *   VSIX and the stand-in; it is left out when there is no test to run
 * @returns {Promise<import('./outcome.mjs').Outcome>}
 */
export async function runE2e({ grep, prepare }) {
  const file = fromOut('test', 'e2e.json');
  await mkdir(fromOut('test'), { recursive: true });
  await rm(file, { force: true });
  const args = ['test', '--config', 'test/e2e/playwright.config.ts'];
  // Playwright matches in any case, but looks at the file's name too, which stands before the names that count.
  if (grep) args.push('--grep', `\\.spec\\.ts .*${literal(grep)}`);
  if (grep && (await nodeModule(CLI, [...args, '--list'])).output.includes('No tests found')) {
    return { passed: 0, skipped: 0, failures: [] };
  }
  await prepare();
  const { code, output } = await nodeModule(CLI, [...args, '--reporter=list,json'], {
    show: true,
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  });
  const report = await readReport(file);
  if (!report) return broken('e2e', output);

  const failures = [
    ...failedSpecs(report.suites, []),
    ...report.errors.map((/** @type {any} */ each) => ({ name: 'e2e', message: each.message ?? String(each.value) })),
  ];
  if (code !== 0 && failures.length === 0)
    failures.push({ name: 'e2e', message: `Playwright ended with code ${code}.` });
  return { passed: report.stats.expected, skipped: report.stats.skipped, failures };
}

/**
 * @param {readonly any[]} suites
 * @param {readonly string[]} names those of the suites around them
 * @returns {import('./outcome.mjs').Failure[]}
 */
function failedSpecs(suites, names) {
  return suites.flatMap((suite) => {
    const path = [...names, suite.title];
    const failed = suite.specs
      .filter((/** @type {any} */ spec) => !spec.ok)
      .map((/** @type {any} */ spec) => ({
        name: [...path, spec.title].join(' '),
        message: spec.tests
          .flatMap((/** @type {any} */ test) => test.results)
          .flatMap((/** @type {any} */ result) => result.errors)
          .map((/** @type {any} */ error) => error.message)
          .join('\n'),
      }));
    return [...failed, ...failedSpecs(suite.suites ?? [], path)];
  });
}
