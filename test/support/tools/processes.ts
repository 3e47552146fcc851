import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

const LOOK_MS = 5;
const LONGEST_MS = 15_000;

/** Whether there is such a process, be it one that has ended and that nobody has asked about. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Resolves when none of the processes is there any more. */
export async function whenGone(pids: readonly number[]): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  while (pids.some(isAlive)) {
    if (Date.now() > end) throw new Error(`${pids.filter(isAlive).join(', ')} still live`);
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
