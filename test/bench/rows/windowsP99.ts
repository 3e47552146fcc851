import { runTogether } from '../children';
import type { Bench, BenchRow, Measured } from '../row';
import { median, medianOfRuns, percentile, rounded } from '../statistics';

const WINDOWS = 4;
const APPENDS_PER_SECOND = 20;

/** How long an append takes at worst while other windows write into the same file. */
export const windowsP99: BenchRow = {
  id: 'windows-p99',
  what: `append p99 with ${WINDOWS} processes writing`,
  unit: 'ms',
  goal: { kind: 'at-most', value: 10 },
  measure: (bench) => medianOfRuns(bench.size.runs, () => measureOnce(bench)),
};

async function measureOnce(bench: Bench): Promise<Measured> {
  const alone = await measureWindows(bench, 1);
  const together = await measureWindows(bench, WINDOWS);
  return {
    value: together.p99Ms,
    note: `one process: ${alone.p99Ms.toFixed(1)} ms; begun up to ${together.lateP99Ms.toFixed(0)} ms late`,
    detail: { together, alone, windows: WINDOWS, seconds: bench.size.windowSeconds },
  };
}

interface Figures {
  readonly p99Ms: number;
  readonly p95Ms: number;
  readonly medianMs: number;
  readonly longestMs: number;
  readonly appends: number;
  /** How late the appends began: more than a few ms means that the machine was busy with something else. */
  readonly lateP99Ms: number;
}

async function measureWindows({ size, files }: Bench, windows: number): Promise<Figures> {
  const folder = await files.newFolder();
  const intervalMs = 1_000 / APPENDS_PER_SECOND;
  const results = await runTogether(
    'appendAtRate',
    Array.from({ length: windows }, (_, index) => ({
      folder,
      messages: Math.ceil(size.windowSeconds * APPENDS_PER_SECOND),
      intervalMs,
      // Spread evenly: windows that write at the same moment by plan would measure the plan.
      offsetMs: (index * intervalMs) / windows,
    })),
  );
  const appendMs = results.flatMap((result) => result.appendMs);
  return {
    p99Ms: rounded(percentile(appendMs, 0.99)),
    p95Ms: rounded(percentile(appendMs, 0.95)),
    medianMs: rounded(median(appendMs)),
    longestMs: rounded(Math.max(...appendMs)),
    appends: appendMs.length,
    lateP99Ms: percentile(
      results.flatMap((result) => result.lateMs),
      0.99,
    ),
  };
}
