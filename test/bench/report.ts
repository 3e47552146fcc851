import type { BenchRow, Detail, Goal, Measured } from './row';

/** A row with what it found. `failed`: it broke off; then `measured.detail.reason` says why. */
export interface RowResult {
  readonly row: BenchRow;
  readonly measured: Measured;
  readonly failed: boolean;
}

/** The one JSON value of `--json`. `value` is null when nothing was measured: then `detail.reason` says why. */
export type BenchReport = Readonly<
  Record<string, { readonly value: number | null; readonly unit: string; readonly detail: Detail }>
>;

export function reportOf(results: readonly RowResult[]): BenchReport {
  return Object.fromEntries(
    results.map(({ row, measured: { value, detail } }) => [row.id, { value, unit: row.unit, detail }]),
  );
}

/** Lines of a table for people. */
export function tableOf(results: readonly RowResult[]): readonly string[] {
  const cells = [
    ['id', 'value', 'unit', 'goal', 'verdict', 'detail'],
    ...results.map(({ row, measured, failed }) => [
      row.id,
      measured.value === null ? '–' : measured.value.toLocaleString('en', { maximumFractionDigits: 2 }),
      row.unit,
      goalWords(row.goal),
      failed ? 'FAILED' : verdict(row.goal, measured),
      measured.note,
    ]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  return cells.map((line) =>
    line
      .map((cell, column) => (column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

function goalWords(goal: Goal): string {
  if (goal.kind === 'reported') return '–';
  return `${goal.kind === 'at-most' ? '≤' : '≥'} ${goal.value.toLocaleString('en')}`;
}

/** At size `smoke` a figure means nothing, so it meets and misses nothing. */
function verdict(goal: Goal, { value, detail }: Measured): string {
  if (value === null) return 'not measured';
  if (goal.kind === 'reported' || detail['size'] === 'smoke') return 'reported';
  return (goal.kind === 'at-most' ? value <= goal.value : value >= goal.value) ? 'met' : 'missed';
}
