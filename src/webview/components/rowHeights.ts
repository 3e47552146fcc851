import type { Row } from '../store/rows';
import { estimateRow } from './estimateRow';

/** How high each row is: as measured when it was drawn last, else as guessed. */
export class RowHeights {
  readonly #measured = new Map<string, number>();
  #rows: readonly Row[] = [];
  #width = 0;
  /** Guesses for the present width: all rows are added up whenever one of them grows. */
  #guesses = new WeakMap<Row, number>();
  /** The top of each row, and the end of the last. Undefined: to be added up again. */
  #tops: Float64Array | undefined;

  setRows(rows: readonly Row[], width: number): void {
    if (rows === this.#rows && width === this.#width) return;
    if (width !== this.#width) this.#guesses = new WeakMap();
    this.#rows = rows;
    this.#width = width;
    this.#tops = undefined;
  }

  measured(key: string, height: number): void {
    if (this.#measured.get(key) === height) return;
    this.#measured.set(key, height);
    this.#tops = undefined;
  }

  topOf(index: number): number {
    return this.#added()[index] ?? this.total;
  }

  topOfKey(key: string): number | undefined {
    const index = this.#rows.findIndex((row) => row.key === key);
    return index < 0 ? undefined : this.topOf(index);
  }

  get total(): number {
    return this.#added()[this.#rows.length] ?? 0;
  }

  /** The row at `y`, or the nearest. */
  indexAt(y: number): number {
    const tops = this.#added();
    let low = 0;
    let high = Math.max(0, this.#rows.length - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #guess(row: Row): number {
    const guess = this.#guesses.get(row) ?? estimateRow(row, this.#width);
    this.#guesses.set(row, guess);
    return guess;
  }

  #added(): Float64Array {
    if (this.#tops !== undefined) return this.#tops;
    const tops = new Float64Array(this.#rows.length + 1);
    let top = 0;
    this.#rows.forEach((row, index) => {
      top += this.#measured.get(row.key) ?? this.#guess(row);
      tops[index + 1] = top;
    });
    this.#tops = tops;
    return tops;
  }
}
