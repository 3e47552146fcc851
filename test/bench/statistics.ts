import type { Measured } from './row';

/** The value below which the share `share` (0 to 1) of the values lies, by the nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Rounded to four digits: more would be noise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/** Measures `runs` times and answers with the run whose value is the median; `detail.runs` holds the values of all. */
export async function medianOfRuns(runs: number, measure: () => Promise<Measured>): Promise<Measured> {
  const all: Measured[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await measure());
  const values = all.flatMap(({ value }) => (value === null ? [] : [value]));
  const chosen = values.length === 0 ? all[0] : all.find(({ value }) => value === median(values));
  if (chosen === undefined) throw new Error('nothing was measured');
  return { ...chosen, detail: { ...chosen.detail, runs: all.map(({ value }) => value) } };
}
