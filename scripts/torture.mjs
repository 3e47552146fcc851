/**
 * `npm run torture`: several windows on one history file, killed, frozen, locked out, on a full disk; then everything that
 * was acknowledged is looked for in the file. `--minutes M` (10), `--seed N` (what each process does follows from it).
 */
import { readArgs } from './lib/args.mjs';
import { onStopRequest } from './lib/lifetime.mjs';
import { runMain, say, sayOnStderr, Trouble } from './lib/say.mjs';
import { anySeed, loadTorture, runTortureFor, whyNoTorture } from './lib/torture.mjs';
import { setUp } from './setup.mjs';

const USAGE = 'npm run torture -- [--minutes M] [--seed N] [--json]';

/** @param {string | undefined} text @param {string} name @param {number} otherwise */
function number(text, name, otherwise) {
  const value = text === undefined ? otherwise : Number(text);
  if (!(value > 0)) throw new Trouble(`--${name} must be a number above 0.\nUsage: ${USAGE}`);
  return value;
}

await runMain(async () => {
  const options = readArgs({ minutes: { type: 'string' }, seed: { type: 'string' }, json: { type: 'boolean' } }, USAGE);
  if (options.json) sayOnStderr();
  const minutes = number(options.minutes, 'minutes', 10);
  const seed = Math.floor(number(options.seed, 'seed', anySeed()));
  const why = whyNoTorture();
  if (why !== undefined) throw new Trouble(`Not run: ${why}.`);
  // Mounts, file flags and processes are undone when this process exits, however it does.
  const stopListening = onStopRequest(() => process.exit(130));
  await setUp(['modules', 'binding']);
  say(`Torture for ${minutes} minutes with seed ${seed}`);
  const torture = await loadTorture();
  const { asJson, asTable } = torture.report;
  const result = await runTortureFor(torture, { seconds: minutes * 60, seed, tell: say });
  stopListening();
  say(`\n${asTable(result)}\nquick_check: ${result.quickCheck}; seed ${seed}`);
  for (const skipped of result.skipped) say(`Skipped: ${skipped}`);
  for (const finding of result.findings) process.stderr.write(`\n${finding}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(asJson(result))}\n`);
  if (result.problems.length === 0) return 0;
  process.stderr.write(`\n${result.problems.length} problems. Logs and the file: ${result.folder}\n`);
  return 1;
});
