/** What must hold before any test is worth running: types, lint, format, no dead code. */
import { nodeModule } from './command.mjs';
import { say, sayStream, seconds } from './say.mjs';

/** Files that have not changed since they were found to be in order are not read again. */
const PRETTIER = [
  '--check',
  '--log-level=warn',
  '--cache',
  '--cache-strategy=content',
  '--cache-location=.cache/prettier',
];

/** @type {readonly { name: string, script: string, args: readonly string[] }[]} */
const CHECKS = [
  { name: 'types of the host and the tests', script: 'typescript/bin/tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'types of the webview', script: 'typescript/bin/tsc', args: ['-p', 'src/webview/tsconfig.json'] },
  { name: 'types of the scripts', script: 'typescript/bin/tsc', args: ['-p', 'scripts/tsconfig.json'] },
  { name: 'lint', script: 'oxlint/bin/oxlint', args: [] },
  { name: 'format', script: 'prettier/bin/prettier.cjs', args: [...PRETTIER, '.'] },
  { name: 'dead code', script: 'knip/bin/knip.js', args: ['--no-progress'] },
];

/** Runs all of them, so that one run shows everything, and answers with the names of those that failed. */
export async function runChecks() {
  const failed = [];
  for (const { name, script, args } of CHECKS) {
    const since = Date.now();
    const { code, output } = await nodeModule(script, args);
    say(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(since)})`);
    if (code !== 0) {
      failed.push(name);
      sayStream().write(`${output.trimEnd()}\n`);
    }
  }
  return failed;
}
