import { RECORD_BYTES } from '../base/limits';
import { isJsonObject, parseJson } from './json';
import { errorWords } from './refusal';

const NEWLINE = 0x0a;

/** Where the bytes come from: `take` answers undefined at the end, and throws what broke it. */
export interface ChunkSource {
  take(): Promise<Uint8Array | undefined>;
  close(): void;
}

/**
 * What passes of a stream of records (one JSON object a line): whole objects, in whole lines. The library prints what
 * it cannot parse, which is the model's text, and trips over lines such as `null`; it never gets to see them.
 */
export class RecordStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #body: ChunkSource;
  readonly #heard: () => void;
  readonly #decoder = new TextDecoder();
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #error: string | undefined;
  #skipped = 0;
  #tooLong = false;

  /** `heard` is called for all that arrives, whatever it is. */
  constructor(body: ChunkSource, heard: () => void = () => undefined) {
    this.#heard = heard;
    this.#body = body;
    this.stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => body.close() },
      { highWaterMark: 0 },
    );
  }

  /** The words of an error that came as a record. */
  get error(): string | undefined {
    return this.#error;
  }

  /** How many lines were no record. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Whether it was given up because of a record longer than `RECORD_BYTES`. */
  get tooLong(): boolean {
    return this.#tooLong;
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    for (;;) {
      const chunk = await this.#body.take();
      this.#heard();
      const done = chunk === undefined;
      const lines = done ? this.#passing([this.#takeLine()]) : this.#passing(this.#linesUpTo(chunk));
      if (this.#tooLong) {
        controller.error(new Error('record too long'));
        return;
      }
      if (lines.length > 0) controller.enqueue(Buffer.from(lines.join('')));
      if (done) controller.close();
      if (done || lines.length > 0) return;
    }
  }

  /** The lines that `chunk` completes; its rest is kept. */
  #linesUpTo(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      lines.push(this.#takeLine());
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes > RECORD_BYTES) this.#tooLong = true;
  }

  #takeLine(): string {
    const line = this.#decoder.decode(Buffer.concat(this.#pieces));
    this.#pieces = [];
    this.#bytes = 0;
    return line;
  }

  #passing(lines: readonly string[]): string[] {
    return lines.filter((line) => this.#isRecord(line.trim())).map((line) => `${line.trim()}\n`);
  }

  #isRecord(line: string): boolean {
    if (line === '') return false;
    const record = parseJson(line);
    if (!isJsonObject(record)) {
      this.#skipped += 1;
      return false;
    }
    if ('error' in record) this.#error ??= errorWords(record['error']);
    return true;
  }
}
