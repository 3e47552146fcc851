import type { BenchSize } from './size';
import type { SeededFiles } from './seededFiles';

/** What a figure should be. `reported`: there is no goal; it is shown so that a change of it is seen. */
export type Goal =
  | { readonly kind: 'at-most'; readonly value: number }
  | { readonly kind: 'at-least'; readonly value: number }
  | { readonly kind: 'reported' };

/** Figures behind the figure, with their units in their names (`…Ms`, `…Bytes`). Goes to JSON as it is. */
export type Detail = { readonly [name: string]: unknown };

/** What a row found. `value` is null when it cannot be measured here: then `detail.reason` says why. */
export interface Measured {
  readonly value: number | null;
  /** A few words for the table. */
  readonly note: string;
  readonly detail: Detail;
}

/** What a row may use while it measures. */
export interface Bench {
  readonly size: BenchSize;
  readonly files: SeededFiles;
}

/** One figure of the bench. `what` and `unit` are for people. */
export interface BenchRow {
  readonly id: string;
  readonly what: string;
  readonly unit: string;
  readonly goal: Goal;
  measure(bench: Bench): Promise<Measured>;
}
