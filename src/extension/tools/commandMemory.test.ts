import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { commandHost } from '../../../test/support/tools/commandHost';
import { runCommandTool } from './runCommand';

const MEGABYTE = 1_048_576;
/**
 * What a command may hold: its beginning and end, what waits for the disk, what is just being read, and what the runtime
 * has not given back yet. Far less than it prints.
 */
const HELD_MEGABYTES = 48;

/** Collecting takes longer than printing: not each time that output is shown. */
const COLLECTED_EACH = 6;

/** Megabytes that are in use, whatever is only waiting to be collected. */
function usedMegabytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test.each([
  ['128 MB of short lines', 'yes | head -c 128M'],
  ['one line of 128 MB', `head -c 128M /dev/zero | tr '\\0' x`],
  ['8 MB of a progress bar', `yes "$(printf '\\r\\033[32m42 of 100')" | tr -d '\\n' | head -c 8M`],
])('memory stays flat while a command prints %s, as it does at 1 GB', async (_, command) => {
  const host = await commandHost();
  const plan = await runCommandTool.plan({ command }, host, new AbortController().signal);
  if (plan.kind !== 'ready') throw new Error('not planned');
  const before = usedMegabytes();
  let shown = 0;
  let peak = 0;
  const outcome = await plan.run({
    signal: new AbortController().signal,
    output: () => {
      shown += 1;
      if (shown % COLLECTED_EACH === 1) peak = Math.max(peak, usedMegabytes());
    },
  });
  expect(outcome.exitCode).toBe(0);
  expect(peak).toBeGreaterThan(0);
  expect(peak - before).toBeLessThan(HELD_MEGABYTES);
  expect(usedMegabytes() - before).toBeLessThan(HELD_MEGABYTES);
});
