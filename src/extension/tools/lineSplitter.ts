const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines, or into whatever else ends with one byte. A line longer than the limit is dropped: its
 * place is taken by undefined.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #end: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number, end = NEWLINE) {
    this.#maxBytes = maxBytes;
    this.#end = end;
  }

  /** The lines that `chunk` completes, without their ends. */
  *push(chunk: Uint8Array): Generator<string | undefined> {
    let start = 0;
    for (let end = chunk.indexOf(this.#end); end >= 0; end = chunk.indexOf(this.#end, start)) {
      this.#keep(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(piece: Uint8Array): void {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #take(): string | undefined {
    const line = this.#length > this.#maxBytes ? undefined : Buffer.concat(this.#pieces).toString('utf8');
    this.#pieces = [];
    this.#length = 0;
    return line;
  }
}
