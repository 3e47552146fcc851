import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { RunningCommands } from '../../../src/extension/tools/commands/runningCommands';
import { runCommandTool } from '../../../src/extension/tools/runCommand';
import { runTool } from '../../support/tools/runTool';
import { testHost } from '../../support/tools/testHost';

const SAMPLE_MS = 10;
const MEGABYTE = 1_048_576;

/** Runs commands that print much, as the agent does it, and watches memory and event loop meanwhile. */
export async function printMuch(args: { readonly folder: string; readonly megabytes: number }): Promise<{
  readonly growthMegabytes: number;
  readonly seconds: number;
  readonly megabytesPerSecond: number;
  readonly loopDelayMs: number;
  readonly resultChars: number;
  readonly lines: Figures;
  readonly oneLine: Figures;
  readonly progress: Figures;
}> {
  const host = testHost(args.folder, { commands: new RunningCommands(args.folder) });
  // What is loaded and compiled on first use is not what is asked about.
  await runTool(runCommandTool, { command: 'yes | head -c 16M' }, host);
  const measured = async (command: string): Promise<Figures> => {
    const stop = new AbortController();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const before = process.memoryUsage.rss();
    delay.enable();
    const since = performance.now();
    const peak = peakMemory(stop.signal);
    const outcome = await runTool(runCommandTool, { command, timeout_seconds: 3_600 }, host);
    const seconds = (performance.now() - since) / 1_000;
    delay.disable();
    stop.abort();
    if (outcome.exitCode !== 0) throw new Error(outcome.content.slice(0, 1_000));
    return {
      growthMegabytes: ((await peak) - before) / MEGABYTE,
      seconds,
      megabytesPerSecond: args.megabytes / seconds,
      loopDelayMs: delay.max / 1e6,
      resultChars: outcome.content.length,
    };
  };
  const lines = await measured(`yes | head -c ${args.megabytes}M`);
  const oneLine = await measured(`head -c ${args.megabytes}M /dev/zero | tr '\\0' x`);
  const progress = await measured(
    `yes "$(printf '\\r\\033[32m42 of 100\\033[0m')" | tr -d '\\n' | head -c ${args.megabytes / 8}M`,
  );
  await host.commands.dispose();
  return { ...lines, lines, oneLine, progress: { ...progress, megabytesPerSecond: progress.megabytesPerSecond / 8 } };
}

interface Figures {
  readonly growthMegabytes: number;
  readonly seconds: number;
  readonly megabytesPerSecond: number;
  readonly loopDelayMs: number;
  readonly resultChars: number;
}

async function peakMemory(signal: AbortSignal): Promise<number> {
  let peak = 0;
  while (!signal.aborted) {
    peak = Math.max(peak, process.memoryUsage.rss());
    await setTimeout(SAMPLE_MS);
  }
  return peak;
}
