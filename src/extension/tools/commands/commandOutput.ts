import type { ToolOutput } from '../../../protocol/part';
import {
  COMMAND_HEAD_BYTES,
  COMMAND_LIVE_BYTES,
  COMMAND_MEMORY_BYTES,
  COMMAND_SPILL_BYTES,
  COMMAND_TAIL_BYTES,
} from '../../base/limits';
import { findLine, readSlice } from '../fileSlice';
import { SpillFile } from './spillFile';
import { TailBytes } from './tailBytes';
import { TerminalText } from './terminalText';
import { characterEnd, characterStart, decoded } from './utf8Bytes';

const NEWLINE = 0x0a;

/** A place in what was printed, as it is kept: bytes, and line ends before it. */
export interface OutputPlace {
  readonly bytes: number;
  readonly lines: number;
}

/**
 * What was printed from some place on: all of it, or its beginning and its end. Between them lie `omittedBytes` with
 * `omittedLines` line ends; `nextLine` (counted from 1) is the first line that is not whole in `head`.
 */
export interface Excerpt {
  readonly head: string;
  readonly tail: string;
  readonly omittedBytes: number;
  readonly omittedLines: number;
  readonly nextLine: number;
  /** Where to go on reading. */
  readonly end: OutputPlace;
}

/** Some lines of what was printed. `lost`: they were printed but not kept; `behind`: there are no such lines. */
export type LinesRead =
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'behind'; readonly lines: number };

export const OUTPUT_START: OutputPlace = { bytes: 0, lines: 0 };

/**
 * What a command prints: its beginning and its end in memory, the first `COMMAND_SPILL_BYTES` in a file once they are
 * more than memory keeps.
 */
export class CommandOutput {
  readonly #text = new TerminalText((bytes) => this.#commit(bytes));
  readonly #tail = new TailBytes(COMMAND_MEMORY_BYTES);
  readonly #spill: SpillFile;
  #spilling = false;
  #head = new Uint8Array(0);
  #lines = 0;
  #printed = 0;

  /** @param drained is called when {@link isFull} has become false */
  constructor(folder: string, drained: () => void) {
    this.#spill = new SpillFile(folder, drained);
  }

  /** Bytes that the command printed, control sequences included. */
  get printed(): number {
    return this.#printed;
  }

  /** Whether the command has to wait for the disk. */
  get isFull(): boolean {
    return this.#spill.isFull;
  }

  /** Why not all can be read, in words; undefined when all can. */
  get lost(): string | undefined {
    const { total, start } = this.#tail;
    if (!this.#spilling || start <= this.#spill.length) return undefined;
    const kept = `only its first ${this.#spill.length} and last ${total - start} bytes were kept`;
    return this.#spill.problem === undefined
      ? `${kept}: more than ${COMMAND_SPILL_BYTES} are not written to the disk`
      : `${kept}: it could not be written to the disk (${this.#spill.problem})`;
  }

  /** The next bytes. They must not be written to afterwards. */
  push(chunk: Uint8Array): void {
    this.#printed += chunk.length;
    this.#text.push(chunk);
  }

  /** Nothing more comes. */
  end(): void {
    this.#text.end();
  }

  /** The end of it, the line that is not ended included. */
  live(): ToolOutput {
    const text = this.#kept(this.#tail.total - COMMAND_LIVE_BYTES);
    const from = characterStart(text, text.length - COMMAND_LIVE_BYTES);
    return { text: decoded(text.subarray(from)), bytes: this.#printed };
  }

  /** All from a place on, or its beginning and its end when it is too long for one result. */
  async excerpt(from: OutputPlace): Promise<Excerpt> {
    // All of this is taken at one moment: more may be printed while the file is read.
    const end: OutputPlace = { bytes: this.#tail.total, lines: this.#lines };
    const rest = this.#kept(end.bytes - COMMAND_HEAD_BYTES - COMMAND_TAIL_BYTES);
    const restStart = end.bytes + this.#text.line.length - rest.length;
    if (restStart <= from.bytes) {
      const text = decoded(rest.subarray(from.bytes - restStart));
      return { head: text, tail: '', omittedBytes: 0, omittedLines: 0, nextLine: from.lines + 1, end };
    }
    const tail = rest.subarray(wholeLinesStart(rest, rest.length - COMMAND_TAIL_BYTES));
    // Then it is known what is lost, too.
    await this.#spill.settled();
    const first = await this.#bytes(from.bytes, Math.min(from.bytes + COMMAND_HEAD_BYTES, restStart));
    const head = first.subarray(0, wholeLinesEnd(first));
    const headLines = lineEnds(head);
    return {
      head: decoded(head),
      tail: decoded(tail),
      omittedBytes: restStart + rest.length - tail.length - from.bytes - head.length,
      omittedLines: end.lines - from.lines - headLines - lineEnds(tail),
      nextLine: from.lines + headLines + 1,
      end,
    };
  }

  /** Line `line`, counted from 1, and what follows, up to `limit` bytes. */
  async linesFrom(line: number, limit: number, signal: AbortSignal): Promise<LinesRead> {
    const kept = this.#kept(0);
    const keptStart = this.#tail.start;
    const linesBefore = this.#lines - lineEnds(kept);
    const lines = this.#lines + (this.#text.line.length > 0 ? 1 : 0);
    if (line > lines) return { kind: 'behind', lines };
    if (line > linesBefore + 1 || keptStart === 0) {
      const start = startOfLine(kept, line - linesBefore - 1);
      return { kind: 'found', text: decoded(kept.subarray(start, start + limit)) };
    }
    const found = await this.#spill.reading(async (handle) => {
      const place = await findLine(handle, line, signal);
      return place.kind === 'found' ? readSlice(handle, place.position, limit, signal) : undefined;
    });
    return found === undefined ? { kind: 'lost' } : { kind: 'found', text: decoded(found) };
  }

  /** Nothing is read any more. */
  close(): Promise<void> {
    return this.#spill.close();
  }

  /** What memory has from `from` on, and the line that is not ended. */
  #kept(from: number): Uint8Array {
    return Buffer.concat([this.#tail.read(Math.max(0, from)), this.#text.line]);
  }

  async #bytes(from: number, to: number): Promise<Uint8Array> {
    if (from >= this.#tail.start) return this.#tail.read(from, to);
    if (to <= this.#head.length) return this.#head.subarray(from, to);
    const never = new AbortController().signal;
    const written = await this.#spill.reading((handle) => readSlice(handle, from, to - from, never));
    return written ?? new Uint8Array(0);
  }

  #commit(bytes: Uint8Array): void {
    this.#lines += lineEnds(bytes);
    if (this.#head.length < COMMAND_HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, COMMAND_HEAD_BYTES - this.#head.length)]);
    }
    if (!this.#spilling && this.#tail.total + bytes.length > COMMAND_MEMORY_BYTES) {
      this.#spilling = true;
      this.#spill.push(this.#tail.read(0));
    }
    if (this.#spilling) this.#spill.push(bytes);
    this.#tail.push(bytes);
  }
}

function lineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === NEWLINE) count += 1;
  return count;
}

/** Where the line begins that has `before` line ends before it. */
function startOfLine(bytes: Uint8Array, before: number): number {
  let at = 0;
  for (let left = before; left > 0; left -= 1) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}

/** The end of the last whole line, or of the last whole character when that would leave out too much. */
function wholeLinesEnd(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  return end > bytes.length / 2 ? end : characterEnd(bytes);
}

/** Where the first whole line begins from `from` on, or the first whole character when that would leave out too much. */
function wholeLinesStart(bytes: Uint8Array, from: number): number {
  const lineEnd = bytes.indexOf(NEWLINE, Math.max(0, from - 1));
  return lineEnd >= 0 && lineEnd < from + (bytes.length - from) / 2 ? lineEnd + 1 : characterStart(bytes, from);
}
