/** What a test runner answers with, whatever it runs. */
import { readFile } from 'node:fs/promises';

/**
 * @typedef {object} Failure
 * @property {string} name suites and title
 * @property {string} message
 */

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {number} skipped
 * @property {readonly Failure[]} failures
 */

/**
 * A runner whose report is missing has failed, whatever its exit code says.
 * @param {string} file
 * @returns {Promise<any>} the report, or nothing when it was not written
 */
export async function readReport(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {string} message @returns {Outcome} */
export const broken = (name, message) => ({ passed: 0, skipped: 0, failures: [{ name, message }] });
