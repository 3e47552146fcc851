/**
 * `npm test`: sets up what is missing, then runs the checks and every kind of test.
 * `--only unit,e2e` runs some kinds, `--grep TEXT` the tests whose full name holds the text, in any case.
 */
import { build } from './build.mjs';
import { readArgs } from './lib/args.mjs';
import { runChecks } from './lib/check.mjs';
import { onStopRequest } from './lib/lifetime.mjs';
import { packageExtension } from './lib/packageExtension.mjs';
import { runE2e } from './lib/runners/e2e.mjs';
import { runIntegration } from './lib/runners/integration.mjs';
import { broken } from './lib/runners/outcome.mjs';
import { runTorture } from './lib/runners/torture.mjs';
import { runUnit } from './lib/runners/unit.mjs';
import { runMain, say, sayOnStderr, seconds, Trouble } from './lib/say.mjs';
import { buildStandIn } from './lib/support.mjs';
import { setUp } from './setup.mjs';

/** @typedef {import('./lib/runners/outcome.mjs').Outcome} Outcome */

/** @type {Record<string, { needs: readonly import('./setup.mjs').Piece[], run: (options: { grep?: string | undefined }) => Promise<Outcome> }>} */
const KINDS = {
  check: { needs: ['modules'], run: checks },
  unit: { needs: ['modules', 'binding'], run: runUnit },
  torture: { needs: ['modules', 'binding'], run: runTorture },
  integration: {
    needs: ['modules', 'binding', 'vscode', 'chromium'],
    run: async (options) => {
      await build({ production: true });
      return runIntegration(options);
    },
  },
  e2e: {
    needs: ['modules', 'binding', 'vscode', 'chromium'],
    run: (options) => runE2e({ ...options, prepare: providePackage }),
  },
};

const USAGE = `npm test -- [--only ${Object.keys(KINDS).join(',')}] [--grep TEXT] [--json]`;

async function providePackage() {
  await build({ production: true });
  await packageExtension();
  await buildStandIn();
}

/** The checks count as one test, so that a failing one is seen in the sum. @returns {Promise<Outcome>} */
async function checks() {
  const failed = await runChecks();
  return failed.length === 0
    ? { passed: 1, skipped: 0, failures: [] }
    : broken('check', `Failed: ${failed.join(', ')}`);
}

/** @param {string | undefined} only */
function chosenKinds(only) {
  const names = only === undefined ? Object.keys(KINDS) : only.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(name in KINDS));
  if (unknown.length > 0) throw new Trouble(`Unknown kind of test: ${unknown.join(', ')}.\nUsage: ${USAGE}`);
  return Object.entries(KINDS).filter(([name]) => names.includes(name));
}

await runMain(async () => {
  const { only, grep, json } = readArgs(
    { only: { type: 'string' }, grep: { type: 'string' }, json: { type: 'boolean' } },
    USAGE,
  );
  if (json) sayOnStderr();
  // What has been started ends with this process; see `startServer` and `command`.
  const stopListening = onStopRequest(() => process.exit(130));
  const kinds = chosenKinds(only);
  await setUp([...new Set(kinds.flatMap(([, { needs }]) => needs))]);

  const started = Date.now();
  /** @type {Record<string, Outcome>} */
  const outcomes = {};
  for (const [name, { run }] of kinds) {
    const since = Date.now();
    say(`\n== ${name} ==`);
    // What breaks one kind (a build, say) is that kind's failure, and the others still run.
    const outcome = await run({ grep }).catch((error) =>
      broken(name, error instanceof Trouble ? error.message : error.stack),
    );
    outcomes[name] = outcome;
    say(
      `${name}: ${outcome.passed} passed, ${outcome.failures.length} failed, ${outcome.skipped} skipped (${seconds(since)})`,
    );
  }

  const passed = Object.values(outcomes).reduce((sum, each) => sum + each.passed, 0);
  const failures = Object.entries(outcomes).flatMap(([kind, each]) =>
    each.failures.map((failure) => ({ kind, ...failure })),
  );
  for (const { kind, name, message } of failures) say(`\nFAILED ${kind}: ${name}\n${message}`);
  say(`\n${seconds(started)} in all`);
  if (passed + failures.length === 0) say(grep ? `No test has "${grep}" in its name.` : 'No test ran.');
  if (json) process.stdout.write(`${JSON.stringify({ passed, failed: failures.length, failures, kinds: outcomes })}\n`);
  say(`${passed} passed, ${failures.length} failed`);
  stopListening();
  return failures.length === 0 && passed > 0 ? 0 : 1;
});
