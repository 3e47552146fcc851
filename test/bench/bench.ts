import type { RowResult } from './report';
import type { Bench, BenchRow, Measured } from './row';
import { SeededFiles } from './seededFiles';
import type { BenchSize } from './size';

export { reportOf, tableOf } from './report';
export { ROWS } from './rows';
export { SIZES } from './size';

/**
 * Measures one row after the other. A row that breaks off is told as such and the others still run. `folder` is for
 * files of the bench: it must lie on a disk, and is removed at the end.
 */
export async function runBench(
  rows: readonly BenchRow[],
  size: BenchSize,
  folder: string,
  tell: (line: string) => void,
): Promise<readonly RowResult[]> {
  const files = new SeededFiles(folder);
  const results: RowResult[] = [];
  try {
    for (const row of rows) {
      tell(`${row.id}: ${row.what} …`);
      results.push(await resultOf(row, { size, files }));
    }
  } finally {
    await files.removeAll();
  }
  return results;
}

async function resultOf(row: BenchRow, bench: Bench): Promise<RowResult> {
  try {
    const measured = await row.measure(bench);
    return { row, measured: withSize(measured, bench.size), failed: false };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { row, measured: { value: null, note: reason.split('\n', 1)[0] ?? '', detail: { reason } }, failed: true };
  }
}

/** A figure of another size than `full` says so wherever it is shown. */
function withSize(measured: Measured, { name }: BenchSize): Measured {
  if (name === 'full') return measured;
  return { ...measured, note: `(${name}) ${measured.note}`, detail: { size: name, ...measured.detail } };
}
