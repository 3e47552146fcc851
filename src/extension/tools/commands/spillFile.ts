import { open, unlink, type FileHandle } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import * as path from 'node:path';
import { COMMAND_SPILL_BYTES, COMMAND_SPILL_QUEUE_BYTES } from '../../base/limits';
import { OUTPUT_NAME } from './outputFolder';

/**
 * The beginning of a stream, in a file of bounded size that has no name: it is gone with its last descriptor, whatever
 * becomes of this process. What cannot be written is lost from there on, and `problem` says why.
 */
export class SpillFile {
  readonly #folder: string;
  readonly #drained: () => void;
  #handle: FileHandle | undefined;
  #queue: Uint8Array[] = [];
  #queued = 0;
  /** Bytes that were taken, and that are in the file. */
  #taken = 0;
  #written = 0;
  #work: Promise<void> | undefined;
  #problem: string | undefined;

  /** @param drained is called when what was too much to wait has been written */
  constructor(folder: string, drained: () => void) {
    this.#folder = folder;
    this.#drained = drained;
  }

  /** Why bytes are missing that came before the limit, as a code of the system. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether so much waits to be written that no more should come. */
  get isFull(): boolean {
    return this.#queued > COMMAND_SPILL_QUEUE_BYTES;
  }

  /** How many bytes of the stream, from its beginning on, can be read or will be. */
  get length(): number {
    return this.#problem === undefined ? this.#taken : this.#written;
  }

  /** Takes the next bytes of the stream, as far as there is room. They must not be written to afterwards. */
  push(bytes: Uint8Array): void {
    const room = this.#problem === undefined ? COMMAND_SPILL_BYTES - this.#taken : 0;
    if (room <= 0) return;
    const taken = bytes.subarray(0, room);
    this.#queue.push(taken);
    this.#queued += taken.length;
    this.#taken += taken.length;
    this.#work ??= this.#write();
  }

  /** Resolves when all that came so far is in the file, or is known to be lost. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Calls `use` with the file when all that came so far is in it; undefined when there is no file. */
  async reading<T>(use: (handle: FileHandle) => Promise<T>): Promise<T | undefined> {
    await this.#work;
    return this.#handle === undefined ? undefined : use(this.#handle);
  }

  async close(): Promise<void> {
    this.#problem ??= 'closed';
    await this.#work;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #write(): Promise<void> {
    try {
      this.#handle ??= await unnamedFile(this.#folder);
      while (this.#queue.length > 0 && this.#problem === undefined) {
        const bytes = Buffer.concat(this.#queue);
        this.#queue = [];
        for (let at = 0; at < bytes.length;) {
          const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, this.#written);
          at += bytesWritten;
          this.#written += bytesWritten;
        }
        const wasFull = this.isFull;
        this.#queued -= bytes.length;
        if (wasFull && !this.isFull) this.#drained();
      }
    } catch (error) {
      this.#problem ??= error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    }
    if (this.#problem !== undefined) {
      this.#queue = [];
      this.#queued = 0;
      this.#drained();
    }
    this.#work = undefined;
  }
}

/** A new file that only this descriptor leads to, readable by nobody else. */
async function unnamedFile(folder: string): Promise<FileHandle> {
  const name = path.join(folder, `${OUTPUT_NAME}${randomUUID()}`);
  const handle = await open(name, 'wx+', 0o600);
  await unlink(name);
  return handle;
}
