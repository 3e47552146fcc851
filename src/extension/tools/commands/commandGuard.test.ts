import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { commandHost } from '../../../../test/support/tools/commandHost';
import { runTool } from '../../../../test/support/tools/runTool';
import { runCommandTool } from '../runCommand';
import { startGuard, WINDOW_MARKER, windowMark } from './commandGuard';

/** Processes of a test, to be ended with it. */
const started: { kill(signal: 'SIGKILL'): boolean }[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

function sleepWith(mark: string): ReturnType<typeof spawn> {
  const child = spawn('sleep', ['1000'], {
    env: { ...process.env, [WINDOW_MARKER]: mark },
    detached: true,
    stdio: 'ignore',
  });
  started.push(child);
  return child;
}

describe.runIf(process.platform === 'linux')('a window that is killed', () => {
  it('takes its commands along, and those of no other window', async () => {
    const [mark, other] = [randomUUID(), randomUUID()];
    const [ours, others] = [sleepWith(mark), sleepWith(other)];
    await Promise.all([once(ours, 'spawn'), once(others, 'spawn')]);
    const guard = startGuard(mark);
    const [guardEnd, end] = [once(guard, 'exit'), once(ours, 'exit')];
    // So does the system when it closes what a dead process had open.
    guard.stdin?.destroy();
    expect(await end).toEqual([null, 'SIGKILL']);
    await guardEnd;
    expect(others.exitCode ?? others.signalCode).toBeNull();
  });

  it('is known to its commands by its mark', async () => {
    const outcome = await runTool(runCommandTool, { command: `echo "<$${WINDOW_MARKER}>"` }, await commandHost());
    expect(outcome.content).toContain(`<${windowMark()}>`);
    expect(await readFile('/proc/self/environ', 'latin1')).not.toContain(windowMark());
  });
});
