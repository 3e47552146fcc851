/**
 * `test/field.json` says of every fault that was seen in the field which part of the product owes an answer, and, once
 * that part is due, which test gives it. This checks that it tells the truth.
 */
import { readFile } from 'node:fs/promises';
import { fromRoot } from './paths.mjs';
import { testTitles } from './testTitles.mjs';

const FILE = 'test/field.json';
/** How many reports there are: none may be dropped. */
const ROWS = 89;
const PARTS = ['store', 'lifecycle', 'model', 'tools', 'sub-agents', 'panel', 'surfaces'];
/** `real`: the fault is provoked for real. `simulated`: by an injected error or clock. `not here`: it cannot happen. */
const HOW = ['real', 'simulated', 'not here'];
const KEYS = ['owed', 'how', 'test', 'also', 'why'];
const SEPARATOR = ' › ';

/**
 * `also`: more tests, for a row of several situations of which `test` shows one.
 * @typedef {{ owed?: unknown, how?: unknown, test?: unknown, also?: unknown, why?: unknown }} Row
 */

/** @returns {Promise<{ code: number, output: string }>} */
export async function checkField() {
  const faults = await fieldFaults(JSON.parse(await readFile(fromRoot(FILE), 'utf8')), (path) =>
    readFile(fromRoot(path), 'utf8').catch(() => undefined),
  );
  return { code: faults.length === 0 ? 0 : 1, output: faults.map((fault) => `${FILE}: ${fault}\n`).join('') };
}

/**
 * @param {Record<string, unknown>} field what the file holds
 * @param {(path: string) => Promise<string | undefined>} read the text of a file below the root, if it is there
 * @returns {Promise<readonly string[]>} what is wrong, a sentence each
 */
export async function fieldFaults({ due, ...rows }, read) {
  const faults = [];
  const dueParts = Array.isArray(due) ? due : [];
  if (!Array.isArray(due)) faults.push('"due" must be a list of the parts that are due.');
  for (const part of dueParts) if (!PARTS.includes(part)) faults.push(`"due" names an unknown part: ${part}.`);
  const count = Object.keys(rows).length;
  if (count !== ROWS) faults.push(`there are ${count} rows; there must be ${ROWS}.`);
  for (const [id, row] of Object.entries(rows)) {
    const isDue = dueParts.includes(/** @type {Row} */ (row)?.owed);
    for (const fault of await rowFaults(/** @type {Row} */ (row), isDue, read)) faults.push(`${id}: ${fault}`);
  }
  return faults;
}

/**
 * @param {Row} row
 * @param {boolean} isDue
 * @param {(path: string) => Promise<string | undefined>} read
 * @returns {Promise<readonly string[]>}
 */
async function rowFaults(row, isDue, read) {
  const faults = Object.keys(row)
    .filter((key) => !KEYS.includes(key))
    .map((key) => `unknown key "${key}".`);
  const { owed, how, test, also = [], why } = row;
  if (!isOneOf(PARTS, owed)) faults.push(`"owed" is ${told(owed)}; it must be one of: ${PARTS.join(', ')}.`);
  if (!isDue) {
    if (how !== undefined || test !== undefined || row.also !== undefined)
      faults.push(`${told(owed)} is not due yet: no "how" and no "test".`);
    return faults;
  }
  if (how === undefined) faults.push(`${told(owed)} is due: "how" is missing.`);
  else if (!isOneOf(HOW, how)) faults.push(`"how" is ${told(how)}; it must be one of: ${HOW.join(', ')}.`);
  if (how === 'not here' && (typeof why !== 'string' || why.trim() === '')) faults.push('"not here" needs a "why".');
  if (how === 'real' || how === 'simulated') {
    const fault = typeof test === 'string' ? await testFault(test, read) : '"test" is missing.';
    if (fault !== undefined) faults.push(fault);
    if (!Array.isArray(also)) faults.push('"also" must be a list of tests.');
    else
      for (const name of also)
        faults.push(...[await testFault(String(name), read)].filter((each) => each !== undefined));
  }
  return faults;
}

/**
 * @param {string} name `path › title`, with the titles of the groups around it in between if wanted
 * @param {(path: string) => Promise<string | undefined>} read
 * @returns {Promise<string | undefined>}
 */
async function testFault(name, read) {
  const [path = '', ...titles] = name.split(SEPARATOR);
  const title = titles.at(-1);
  if (title === undefined) return `"test" must read "path${SEPARATOR}title", not "${name}".`;
  const source = await read(path);
  if (source === undefined) return `there is no file ${path}.`;
  const { groups, tests, skipped } = testTitles(source);
  const missing = titles.slice(0, -1).find((group) => !groups.has(group));
  if (missing !== undefined) return `${path} has no describe "${missing}".`;
  if (tests.has(title)) return undefined;
  return skipped.has(title) ? `${path} skips the test "${title}".` : `${path} has no test "${title}".`;
}

/** @param {readonly string[]} known @param {unknown} value */
function isOneOf(known, value) {
  return typeof value === 'string' && known.includes(value);
}

/** @param {unknown} value */
function told(value) {
  return value === undefined ? 'missing' : JSON.stringify(value);
}
