/**
 * `npm run bench`: measures what the design sets goals for and prints a table; `--json` prints one JSON object instead.
 * `--only id,id` takes some of the figures, `--size quick` each of them once and in less time. A goal that is missed is
 * said, not punished: the exit code is 1 only when something could not be run.
 */
import { readArgs } from './lib/args.mjs';
import { onStopRequest } from './lib/lifetime.mjs';
import { fromOut } from './lib/paths.mjs';
import { runMain, say, sayOnStderr, seconds, Trouble } from './lib/say.mjs';
import { loadBench } from './lib/support.mjs';
import { setUp } from './setup.mjs';

const USAGE = 'npm run bench -- [--only ID,ID] [--size full|quick|smoke] [--json]';

/** @param {readonly import('../test/bench/row').BenchRow[]} rows @param {string | undefined} only */
function chosenRows(rows, only) {
  if (only === undefined) return rows;
  const ids = only.split(',').map((id) => id.trim());
  const unknown = ids.filter((id) => !rows.some((row) => row.id === id));
  if (unknown.length > 0) {
    throw new Trouble(`Unknown figure: ${unknown.join(', ')}. Known: ${rows.map(({ id }) => id).join(', ')}.`);
  }
  return rows.filter(({ id }) => ids.includes(id));
}

await runMain(async () => {
  const options = readArgs(
    { only: { type: 'string' }, size: { type: 'string', default: 'full' }, json: { type: 'boolean' } },
    USAGE,
  );
  if (options.json) sayOnStderr();
  // The processes that a figure is measured in end with this one.
  const stopListening = onStopRequest(() => process.exit(130));
  await setUp(['modules', 'binding']);
  const { ROWS, SIZES, runBench, reportOf, tableOf } = await loadBench();
  const size = SIZES[options.size];
  if (size === undefined) throw new Trouble(`Unknown size: ${options.size}.\nUsage: ${USAGE}`);

  const since = Date.now();
  const results = await runBench(chosenRows(ROWS, options.only), size, fromOut('bench', `files-${process.pid}`), say);
  say('');
  for (const line of tableOf(results)) say(line);
  for (const { row, measured, failed } of results)
    if (failed) say(`\nFAILED ${row.id}: ${String(measured.detail['reason'])}`);
  say(
    `\n${seconds(since)} in all${size.name === 'full' ? '' : `, at size ${size.name}: not the figures of the goals`}`,
  );
  if (options.json) process.stdout.write(`${JSON.stringify(reportOf(results))}\n`);
  stopListening();
  return results.some(({ failed }) => failed) ? 1 : 0;
});
