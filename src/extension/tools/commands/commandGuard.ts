import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** Set to the same value for all commands of this process: whatever they start carries it, wherever it goes. */
export const WINDOW_MARKER = 'HOLDFAST_WINDOW';

/**
 * Waits for the end of its input, which comes with the end of this process, however that ends. Then it kills whatever
 * carries the mark, three times: what is just being started is in no list.
 */
const GUARD = `cat
for round in 1 2 3; do
  for file in $(grep -lF "$1" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}"
  done
done`;

let window: string | undefined;

/**
 * The mark of this process in the environment of its commands. The first time, a guard is started, which ends them when
 * this process is killed: only on Linux, where an environment can be looked into at no cost.
 */
export function windowMark(): string {
  if (window === undefined) {
    window = randomUUID();
    if (process.platform === 'linux') startGuard(window);
  }
  return window;
}

/** Ends what carries `mark` when its input ends. Keeps nobody from ending, and need not be there. */
export function startGuard(mark: string): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', `${WINDOW_MARKER}=${mark}`], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  return guard;
}
