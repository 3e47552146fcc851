import { runInChild } from '../children';
import type { Bench, BenchRow, Measured } from '../row';
import type { SeededFile } from '../seededFiles';
import { median, medianOfRuns, rounded } from '../statistics';

/** Whether opening costs more the longer the conversation is. */
export const openGrowth: BenchRow = {
  id: 'open-growth',
  what: 'open the file and read the last page, 10,000 messages ÷ 100',
  unit: 'ratio',
  goal: { kind: 'at-most', value: 1.5 },
  measure: (bench) => medianOfRuns(bench.size.runs, () => measureOnce(bench)),
};

interface Contestant {
  readonly file: SeededFile;
  readonly openMs: number[];
  readonly readMs: number[];
  pageMessages: number;
}

/** Each look is a process of its own, and the two files take turns. Both are warm in the system's cache. */
async function measureOnce({ size, files }: Bench): Promise<Measured> {
  const contestants: Contestant[] = [];
  for (const messages of [size.longMessages, size.shortMessages]) {
    contestants.push({ file: await files.copyOf(messages), openMs: [], readMs: [], pageMessages: 0 });
  }
  for (let look = 0; look < size.opens; look += 1) {
    for (const each of contestants) {
      const { folder, conversationId } = each.file;
      const found = await runInChild('openLastPage', { folder, conversationId });
      each.openMs.push(found.openMs);
      each.readMs.push(found.readMs);
      each.pageMessages = found.pageMessages;
    }
  }
  const [longMs = Number.NaN, shortMs = Number.NaN] = contestants.map(totalMs);
  const [long, short] = contestants.map(figures);
  return {
    value: rounded(longMs / shortMs),
    note: `${longMs.toFixed(1)} ÷ ${shortMs.toFixed(1)} ms`,
    detail: { longMs: rounded(longMs), shortMs: rounded(shortMs), long, short },
  };
}

/** Median of opening and reading together. */
function totalMs({ openMs, readMs }: Contestant): number {
  return median(openMs.map((ms, look) => ms + (readMs[look] ?? 0)));
}

function figures({ file, openMs, readMs, pageMessages }: Contestant): Readonly<Record<string, number>> {
  return {
    messages: file.messages,
    pageMessages,
    openMs: rounded(median(openMs)),
    readMs: rounded(median(readMs)),
  };
}
