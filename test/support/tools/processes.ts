import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { isRunning } from '../../../src/extension/tools/commands/processTable';

const LOOK_MS = 5;
const LONGEST_MS = 15_000;

/** Resolves when none of the processes runs any more. */
export async function whenGone(pids: readonly number[]): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  while (pids.some(isRunning)) {
    if (Date.now() > end) throw new Error(`${pids.filter(isRunning).join(', ')} still live`);
    await setTimeout(LOOK_MS);
  }
}

/** The numbers of processes that a command writes into a file, once they are there: a line of them. */
export async function whenWritten(file: string): Promise<readonly number[]> {
  for (const end = Date.now() + LONGEST_MS; Date.now() < end; await setTimeout(LOOK_MS)) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text.trim().split(' ').map(Number);
  }
  throw new Error(`${file} is not written`);
}
