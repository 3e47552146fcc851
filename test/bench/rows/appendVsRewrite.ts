import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, BenchRow, Measured } from '../row';
import { median, medianOfRuns, rounded } from '../statistics';
import { timeAppends } from '../timeAppends';
import { workloadMessages } from '../workload';

/** How much is won over writing the whole history anew for each message, at its cheapest: compact, and never synced. */
export const appendVsRewrite: BenchRow = {
  id: 'append-vs-rewrite',
  what: 'rewrite of all as JSON ÷ our append, at message 10,000',
  unit: 'ratio',
  goal: { kind: 'at-least', value: 300 },
  measure: (bench) => medianOfRuns(bench.size.runs, () => measureOnce(bench)),
};

async function measureOnce(bench: Bench): Promise<Measured> {
  const { size, files } = bench;
  const oursMs = await timeAppends(bench);
  const all = [...workloadMessages(1, size.longMessages)];
  const file = join(await files.newFolder(), 'history.json');
  const rewritesMs = workloadMessages(size.longMessages + 1, size.rewrites).map((message) => {
    all.push(message);
    const since = performance.now();
    writeFileSync(file, JSON.stringify(all));
    return performance.now() - since;
  });
  const rewriteMs = median(rewritesMs);
  return {
    value: rounded(rewriteMs / oursMs),
    note: `${rewriteMs.toFixed(0)} ÷ ${oursMs.toFixed(2)} ms`,
    detail: { rewriteMs: rounded(rewriteMs), oursMs: rounded(oursMs), messages: size.longMessages },
  };
}
