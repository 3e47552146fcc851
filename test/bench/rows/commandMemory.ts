import { runInChild } from '../children';
import type { Bench, BenchRow, Measured } from '../row';
import { rounded } from '../statistics';

/**
 * What a window's memory grows by while a command prints without measure, and how soon Stop has ended what never ends
 * by itself. The time counts from Stop until the last process is gone.
 */
export const commandMemory: BenchRow = {
  id: 'command-memory',
  what: 'growth of the process while a command prints 1 GB',
  unit: 'MB',
  goal: { kind: 'at-most', value: 64 },
  measure,
};

async function measure({ size, files }: Bench): Promise<Measured> {
  if (process.platform === 'win32') {
    const reason = 'the commands are written for a posix shell';
    return { value: null, note: reason, detail: { reason } };
  }
  const printed = await runInChild('printMuch', {
    folder: await files.newFolder(),
    megabytes: size.printedMegabytes,
  });
  const endless = await runInChild('endlessCommands', { folder: await files.newFolder() });
  const { growthMegabytes, seconds, loopDelayMs } = printed;
  const slowest = Math.max(...Object.values(endless.stopMs));
  return {
    value: rounded(growthMegabytes),
    note: `${seconds.toFixed(1)} s, loop held ${loopDelayMs.toFixed(0)} ms at most, Stop within ${slowest.toFixed(0)} ms`,
    detail: { ...printed, ...endless },
  };
}
