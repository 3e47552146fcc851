/**
 * `npm run longrun`: one long conversation whose window is killed again and again, with a look at every body that is
 * sent. `--turns N` (200), `--kills N` (20), `--seed N`. `--silence S` instead waits for real: S seconds without a
 * word before the first token and between two, once answered in the end and once stopped.
 */
import { readArgs } from './lib/args.mjs';
import { onStopRequest } from './lib/lifetime.mjs';
import { loadLongRun, PROGRAMS } from './lib/longrun.mjs';
import { fromOut, ROOT } from './lib/paths.mjs';
import { runMain, say, sayOnStderr, Trouble } from './lib/say.mjs';
import { anySeed } from './lib/torture.mjs';
import { setUp } from './setup.mjs';

const USAGE = 'npm run longrun -- [--turns N] [--kills N] [--seed N] [--json], or --silence SECONDS [--json]';

/** @param {string | undefined} text @param {string} name @param {number} otherwise */
function number(text, name, otherwise) {
  const value = text === undefined ? otherwise : Number(text);
  if (!(value >= 0)) throw new Trouble(`--${name} must be a number from 0.\nUsage: ${USAGE}`);
  return value;
}

await runMain(async () => {
  const options = readArgs(
    {
      turns: { type: 'string' },
      kills: { type: 'string' },
      seed: { type: 'string' },
      silence: { type: 'string' },
      json: { type: 'boolean' },
    },
    USAGE,
  );
  if (options.json) sayOnStderr();
  // The windows end with this process, however it does.
  const stopListening = onStopRequest(() => process.exit(130));
  await setUp(['modules', 'binding']);
  const { longRun, program, report, silence, ripgrep } = await loadLongRun();

  if (options.silence !== undefined) {
    const seconds = number(options.silence, 'silence', 400);
    say(`Silence of ${seconds} s, for real`);
    const results = await silence.realSilences(seconds * 1_000, fromOut('longrun', `silence-${process.pid}`));
    stopListening();
    for (const { name, problem, detail } of results)
      say(`${problem === undefined ? 'ok    ' : 'FAILED'} ${name}: ${problem ?? detail}`);
    if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
    return results.every(({ problem }) => problem === undefined) ? 0 : 1;
  }

  const turns = number(options.turns, 'turns', 200);
  const kills = number(options.kills, 'kills', 20);
  const seed = Math.floor(number(options.seed, 'seed', anySeed()));
  say(`A long run of ${turns} turns with ${kills} kills and seed ${seed}`);
  await program.buildProgram(PROGRAMS);
  const result = await longRun.longRun({
    turns,
    kills,
    seed,
    folder: fromOut('longrun', `seed-${seed}`),
    programs: PROGRAMS,
    ripgrep: ripgrep.ripgrepPath(ROOT),
    tell: say,
  });
  stopListening();
  for (const line of report.reportLines(result)) say(line);
  const problems = report.problemLines(result);
  for (const problem of problems) process.stderr.write(`\n${problem}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
  return problems.length === 0 ? 0 : 1;
});
