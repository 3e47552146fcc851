import { appendFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Message } from '../../../src/protocol/message';
import type { Bench, BenchRow, Measured } from '../row';
import { median, medianOfRuns, rounded } from '../statistics';
import { timeAppends } from '../timeAppends';
import { workloadMessage } from '../workload';

/**
 * What our append costs over a line at the end of a file, never synced: the cheapest that can be done, with nothing for
 * a crash in mid-line, a second window or a look-up. The value compares with the write that, like ours, leaves the event
 * loop free; `ratioToSync` with the one that blocks it.
 */
export const appendVsJsonl: BenchRow = {
  id: 'append-vs-jsonl',
  what: 'our append ÷ a line of JSON appended to a file',
  unit: 'ratio',
  goal: { kind: 'reported' },
  measure: (bench) => medianOfRuns(bench.size.runs, () => measureOnce(bench)),
};

async function measureOnce(bench: Bench): Promise<Measured> {
  const oursMs = await timeAppends(bench);
  const folder = await bench.files.newFolder();
  const lineMs = await timeLines(bench, (line) => appendFile(join(folder, 'async.jsonl'), line));
  const syncLineMs = await timeLines(bench, (line) => appendFileSync(join(folder, 'sync.jsonl'), line));
  return {
    value: rounded(oursMs / lineMs),
    note: `${oursMs.toFixed(2)} ÷ ${lineMs.toFixed(2)} ms`,
    detail: {
      oursMs: rounded(oursMs),
      lineMs: rounded(lineMs),
      syncLineMs: rounded(syncLineMs),
      ratioToSync: rounded(oursMs / syncLineMs),
    },
  };
}

/** Milliseconds for one line, by the same pairs as ours. */
async function timeLines({ size }: Bench, append: (line: string) => Promise<void> | void): Promise<number> {
  const pairsMs: number[] = [];
  for (let pair = 0; pair < size.appendPairs; pair += 1) {
    const messages = [1, 2].map((place) => workloadMessage(size.longMessages + pair * 2 + place));
    const since = performance.now();
    for (const message of messages) await append(lineOf(message));
    pairsMs.push((performance.now() - since) / 2);
  }
  return median(pairsMs);
}

function lineOf(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}
