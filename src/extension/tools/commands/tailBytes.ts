const FIRST_BYTES = 4_096;

/** The last bytes of a stream, in a ring that grows to its limit and no further. */
export class TailBytes {
  readonly #limit: number;
  #ring = new Uint8Array(FIRST_BYTES);
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes of the whole stream. */
  get total(): number {
    return this.#total;
  }

  /** Where in the stream the bytes begin that are here. */
  get start(): number {
    return Math.max(0, this.#total - this.#limit);
  }

  push(bytes: Uint8Array): void {
    this.#grow(this.#total + bytes.length);
    const size = this.#ring.length;
    const kept = bytes.subarray(Math.max(0, bytes.length - size));
    const at = (this.#total + bytes.length - kept.length) % size;
    const first = kept.subarray(0, size - at);
    this.#ring.set(first, at);
    this.#ring.set(kept.subarray(first.length), 0);
    this.#total += bytes.length;
  }

  /** A copy of the bytes from `from` to before `to`, as far as they are here. */
  read(from: number, to = this.#total): Uint8Array {
    const start = Math.max(from, this.start);
    const length = Math.max(0, Math.min(to, this.#total) - start);
    const copy = new Uint8Array(length);
    const at = start % this.#ring.length;
    const first = this.#ring.subarray(at, Math.min(this.#ring.length, at + length));
    copy.set(first);
    copy.set(this.#ring.subarray(0, length - first.length), first.length);
    return copy;
  }

  #grow(needed: number): void {
    if (needed <= this.#ring.length || this.#ring.length >= this.#limit) return;
    let size = this.#ring.length;
    while (size < needed && size < this.#limit) size *= 2;
    const grown = new Uint8Array(Math.min(size, this.#limit));
    // Nothing was overwritten yet: the ring was never full.
    grown.set(this.#ring.subarray(0, this.#total));
    this.#ring = grown;
  }
}
