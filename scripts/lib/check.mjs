/** What must hold before any test is worth running: types, lint, format, no dead code, and no fault forgotten. */
import { nodeModule } from './command.mjs';
import { checkField } from './fieldCheck.mjs';
import { say, sayStream, seconds } from './say.mjs';

/** Files that have not changed since they were found to be in order are not read again. */
const PRETTIER = [
  '--check',
  '--log-level=warn',
  '--cache',
  '--cache-strategy=content',
  '--cache-location=.cache/prettier',
];

/** @param {string} script a program below `node_modules` @param {readonly string[]} args */
const program = (script, args) => () => nodeModule(script, args);

/** @type {readonly { name: string, run: () => Promise<{ code: number, output: string }> }[]} */
const CHECKS = [
  { name: 'types of the host and the tests', run: program('typescript/bin/tsc', ['-p', 'tsconfig.json']) },
  { name: 'types of the webview', run: program('typescript/bin/tsc', ['-p', 'src/webview/tsconfig.json']) },
  { name: 'types of the scripts', run: program('typescript/bin/tsc', ['-p', 'scripts/tsconfig.json']) },
  { name: 'lint', run: program('oxlint/bin/oxlint', []) },
  { name: 'format', run: program('prettier/bin/prettier.cjs', [...PRETTIER, '.']) },
  { name: 'dead code', run: program('knip/bin/knip.js', ['--no-progress']) },
  { name: 'faults from the field and their tests', run: checkField },
];

/** Runs all of them, so that one run shows everything, and answers with the names of those that failed. */
export async function runChecks() {
  const failed = [];
  for (const { name, run } of CHECKS) {
    const since = Date.now();
    const { code, output } = await run();
    say(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(since)})`);
    if (code !== 0) {
      failed.push(name);
      sayStream().write(`${output.trimEnd()}\n`);
    }
  }
  return failed;
}
