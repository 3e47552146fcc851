import type { Bench, BenchRow, Measured } from '../row';
import { BenchHistory } from '../history';
import { median, medianOfRuns, rounded } from '../statistics';
import { workloadMessage } from '../workload';

/** Whether an append costs more the longer its conversation is. */
export const appendGrowth: BenchRow = {
  id: 'append-growth',
  what: 'append at message 10,000 ÷ at message 100',
  unit: 'ratio',
  goal: { kind: 'at-most', value: 1.3 },
  measure: (bench) => medianOfRuns(bench.size.runs, () => measureOnce(bench)),
};

/** One file of each length, written in turns: whatever disturbs the machine disturbs both. */
async function measureOnce({ size, files }: Bench): Promise<Measured> {
  const contestants = await Promise.all(
    [size.longMessages, size.shortMessages].map(async (messages) => {
      const { folder, conversationId } = await files.copyOf(messages);
      return { history: await BenchHistory.open(folder, conversationId), next: messages + 1, pairsMs: [] as number[] };
    }),
  );
  for (let pair = 0; pair < size.appendPairs; pair += 1) {
    for (const each of contestants) {
      each.pairsMs.push(await each.history.timePair([workloadMessage(each.next), workloadMessage(each.next + 1)]));
      each.next += 2;
    }
  }
  for (const { history } of contestants) await history.close();
  const [longMs = Number.NaN, shortMs = Number.NaN] = contestants.map(({ pairsMs }) => median(pairsMs));
  return {
    value: rounded(longMs / shortMs),
    note: `${longMs.toFixed(2)} ÷ ${shortMs.toFixed(2)} ms`,
    detail: {
      longMs: rounded(longMs),
      shortMs: rounded(shortMs),
      longMessages: size.longMessages,
      shortMessages: size.shortMessages,
      how: 'medians over pairs of one message of the person and one answer; two files written in turns',
    },
  };
}
