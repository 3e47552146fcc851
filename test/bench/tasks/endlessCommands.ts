import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RunningCommands } from '../../../src/extension/tools/commands/runningCommands';
import { runCommandTool } from '../../../src/extension/tools/runCommand';
import { whenGone, whenWritten } from '../../support/tools/processes';
import { testHost } from '../../support/tools/testHost';

/** Each writes the numbers of its processes into a file and never ends by itself. */
const COMMANDS: Readonly<Record<string, string>> = {
  silent: 'sleep 6000 & echo "$$ $!" > pids; wait',
  printing: 'echo $$ > pids; yes',
  deaf: `trap '' TERM INT HUP; echo $$ > pids; while :; do sleep 1; done`,
  daemon:
    `(setsid sh -c '(sh -c "echo \\$\\$ > daemon; exec sleep 6000" &)' > /dev/null 2>&1 < /dev/null &); ` +
    'until [ -s daemon ]; do sleep 0.01; done; echo "$$ $(cat daemon)" > pids; sleep 6000',
};

/** Stops commands that never end, and waits until the last of their processes is gone. */
export async function endlessCommands(args: {
  readonly folder: string;
}): Promise<{ readonly stopMs: Readonly<Record<string, number>> }> {
  const host = testHost(args.folder, { commands: new RunningCommands(args.folder) });
  const stopMs: Record<string, number> = {};
  for (const [name, command] of Object.entries(COMMANDS)) {
    const stop = new AbortController();
    const plan = await runCommandTool.plan({ command }, host, stop.signal);
    if (plan.kind !== 'ready') throw new Error(plan.outcome.content);
    const file = join(args.folder, 'pids');
    await rm(file, { force: true });
    const ended = plan.run({ signal: stop.signal, output: () => undefined });
    const pids = await whenWritten(file);
    const since = performance.now();
    stop.abort();
    await whenGone(pids);
    stopMs[name] = performance.now() - since;
    await ended;
  }
  await host.commands.dispose();
  return { stopMs };
}
