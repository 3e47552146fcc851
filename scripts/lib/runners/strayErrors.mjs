/** A reporter for what the JSON report of Vitest leaves out: errors that belong to no test, and yet fail the run. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { fromOut, ROOT } from '../paths.mjs';

/** Where it leaves them, as failures. */
export const STRAY_ERRORS = fromOut('test', 'unit-stray-errors.json');

export default class StrayErrors {
  /**
   * Called by Vitest at the end of the run.
   * @param {unknown} _modules
   * @param {readonly import('vitest/node').SerializedError[]} errors
   */
  async onTestRunEnd(_modules, errors) {
    await mkdir(dirname(STRAY_ERRORS), { recursive: true });
    await writeFile(STRAY_ERRORS, JSON.stringify(errors.map(failureOf)));
  }
}

/**
 * The file and the test that ran are where it came up, which need not be where it comes from.
 * @param {import('vitest/node').SerializedError} error
 * @returns {import('./outcome.mjs').Failure}
 */
function failureOf(error) {
  const { type = 'Unhandled Error', VITEST_TEST_PATH: path, VITEST_TEST_NAME: test } = error;
  const file = typeof path === 'string' ? relative(ROOT, path) : 'unit';
  return { name: typeof test === 'string' ? `${file} > ${test}` : file, message: `${String(type)}: ${wordsOf(error)}` };
}

/**
 * @param {import('vitest/node').SerializedError} error
 * @returns {string}
 */
function wordsOf({ message, stack, cause }) {
  const words = stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`.trimEnd();
  return cause === undefined ? words : `${words}\nCaused by: ${wordsOf(cause)}`;
}
