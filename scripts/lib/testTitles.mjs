/** The titles of the tests in a file, read from its text: nothing is run. */

/**
 * @typedef {object} Titles
 * @property {ReadonlySet<string>} groups titles of `describe`
 * @property {ReadonlySet<string>} tests titles of the tests that run
 * @property {ReadonlySet<string>} skipped titles of the tests that never run
 */

const CALL = /(?<![\w$.'"`])(describe|it|test)((?:\.\w+)*)\s*\(/g;
const COMMENT = /^\s*\/\/.*$|^\s*\/\*[\s\S]*?\*\//gm;
/** Modifiers that are called before the title is given: `it.each([1, 2])('title')`. */
const WITH_ARGUMENTS = new Set(['each', 'for', 'runIf', 'skipIf']);
const NEVER_RUN = new Set(['skip', 'todo', 'fixme']);

/**
 * @param {string} source
 * @returns {Titles}
 */
export function testTitles(source) {
  const text = source.replaceAll(COMMENT, '');
  /** @type {{ groups: Set<string>, tests: Set<string>, skipped: Set<string> }} */
  const titles = { groups: new Set(), tests: new Set(), skipped: new Set() };
  let skippedUntil = 0;
  for (const match of text.matchAll(CALL)) {
    const modifiers = match[2]?.split('.').slice(1) ?? [];
    let at = match.index + match[0].length;
    if (WITH_ARGUMENTS.has(modifiers.at(-1) ?? '')) {
      at = afterArguments(text, at);
      if (text[at] !== '(') continue;
      at += 1;
    }
    const title = literalAt(text, at);
    if (title === undefined) continue;
    const neverRuns = modifiers.some((name) => NEVER_RUN.has(name));
    if (match[1] === 'describe' || modifiers.includes('describe')) {
      titles.groups.add(title);
      if (neverRuns) skippedUntil = Math.max(skippedUntil, blockEnd(text, match.index));
    } else if (neverRuns || match.index < skippedUntil) titles.skipped.add(title);
    else titles.tests.add(title);
  }
  return titles;
}

/** Where the block ends whose first line holds `at`, by its indentation. @param {string} text @param {number} at */
function blockEnd(text, at) {
  const line = text.slice(text.lastIndexOf('\n', at) + 1, at);
  const end = text.indexOf(`\n${/^\s*/.exec(line)?.[0] ?? ''}})`, at);
  return end === -1 ? text.length : end;
}

/** Where the text goes on after the arguments that begin at `at`. @param {string} text @param {number} at */
function afterArguments(text, at) {
  let depth = 1;
  let index = at;
  while (index < text.length && depth > 0) {
    const literal = LITERAL.exec(text.slice(index, index + 10_000));
    if (literal) {
      index += literal[0].length;
      continue;
    }
    if (text[index] === '(') depth += 1;
    if (text[index] === ')') depth -= 1;
    index += 1;
  }
  return index;
}

const LITERAL = /^\s*(['"`])((?:\\[\s\S]|(?!\1)[\s\S])*)\1/;

/** @param {string} text @param {number} at @returns {string | undefined} the string that stands there, unescaped */
function literalAt(text, at) {
  return LITERAL.exec(text.slice(at, at + 10_000))?.[2]?.replaceAll(/\\(.)/g, '$1');
}
