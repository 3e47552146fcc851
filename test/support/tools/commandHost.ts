import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { onTestFinished } from 'vitest';
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
