import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { systemClock, type Clock } from '../../../src/extension/base/clock';
import { RunningCommands } from '../../../src/extension/tools/commands/runningCommands';
import type { ToolHost } from '../../../src/extension/tools/toolHost';
import { testHost } from './testHost';

/** A host with a new folder, which is gone after the test with all that was run in it. */
export async function commandHost(clock: Clock = systemClock): Promise<ToolHost> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'holdfast-command-')));
  const host = testHost(root, { commands: new RunningCommands(tmpdir(), clock) });
  onTestFinished(async () => {
    await host.commands.dispose();
    await rm(root, { recursive: true, force: true });
  });
  return host;
}

/** Resolves when the process is gone. */
export async function whenGone(pid: number): Promise<void> {
  await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000, interval: 10 });
}

/** Whether there is such a process, be it one that has ended and that nobody has asked about. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
