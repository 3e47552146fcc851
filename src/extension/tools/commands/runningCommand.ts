import type { ToolOutput } from '../../../protocol/part';
import type { Clock } from '../../base/clock';
import {
  COMMAND_KILL_MS,
  COMMAND_LIVE_MS,
  COMMAND_LOOK_FIRST_MS,
  COMMAND_LOOK_LONGEST_MS,
  COMMAND_PIPE_LONGEST_MS,
  COMMAND_PIPE_QUIET_MS,
  COMMAND_SLICE_BYTES,
  COMMAND_SLICE_MS,
} from '../../base/limits';
import { CommandOutput, OUTPUT_START, type Excerpt } from './commandOutput';
import type { CommandLine, StartedProcess } from './commandStart';
import { ProcessFamily } from './processFamily';
import type { ProcessEntry } from './processTable';
import { within } from './within';

/** How a command ended. `ms`: how long it took. `left`: what it started and what still ran when it ended. */
export interface CommandEnd {
  readonly code: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly ms: number;
  readonly left: readonly ProcessEntry[];
}

/** What a command of a conversation needs beside its process. `folder`: for what it prints and memory does not keep. */
export interface CommandPlace {
  readonly id: string;
  readonly marker: string;
  readonly folder: string;
  readonly clock: Clock;
}

/** A command that was started, until long after its end. */
export class RunningCommand {
  readonly id: string;
  readonly line: CommandLine;
  readonly output: CommandOutput;
  /** Resolves when the command itself has ended; what it started may go on. */
  readonly ended: Promise<CommandEnd>;
  readonly #started: StartedProcess;
  readonly #clock: Clock;
  readonly #family: ProcessFamily;
  readonly #startedAt: number;
  readonly #closed: Promise<void>;
  readonly #listeners = new Set<(output: ToolOutput) => void>();
  #end: CommandEnd | undefined;
  #left = false;
  #read = OUTPUT_START;
  /** Bytes that came in this slice of time; undefined: no slice has begun. */
  #slice: number | undefined;
  #sliceIsFull = false;
  #showAt = 0;
  #showing = false;
  #cancelLook = (): void => undefined;

  constructor(line: CommandLine, started: StartedProcess, { id, marker, folder, clock }: CommandPlace) {
    this.id = id;
    this.line = line;
    this.#started = started;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#family = new ProcessFamily(started.pid, marker, clock);
    this.output = new CommandOutput(folder, () => this.#flow());
    for (const stream of started.streams) {
      stream.on('data', (chunk: Buffer) => this.#take(chunk));
      // What can be read no more is at its end.
      stream.on('error', () => undefined);
    }
    this.#closed = Promise.all(started.streams.map(whenClosed)).then(() => this.output.end());
    this.#look(COMMAND_LOOK_FIRST_MS);
    this.ended = started.exited.then(([code, signal]) => this.#exited(code, signal));
  }

  /** How it ended; undefined while it runs. */
  get end(): CommandEnd | undefined {
    return this.#end;
  }

  /** Whether it, or what it left running, may still live. */
  get isAlive(): boolean {
    return this.#end === undefined || this.#left;
  }

  /**
   * Calls `listener` with the end of what was printed when more comes, at most once in `COMMAND_LIVE_MS`. The answer
   * ends that.
   */
  watch(listener: (output: ToolOutput) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What was printed since the last time, or its beginning and its end. */
  async readNew(): Promise<Excerpt> {
    const excerpt = await this.output.excerpt(this.#read);
    this.#read = excerpt.end;
    return excerpt;
  }

  /** Types into it. False: it takes nothing (any more). */
  write(text: string): boolean {
    const { stdin } = this.#started.child;
    if (stdin === null || !stdin.writable || this.#end !== undefined) return false;
    stdin.write(text);
    return true;
  }

  /** What it started and what lives, itself included. */
  async processes(): Promise<readonly ProcessEntry[]> {
    const found = this.isAlive ? await this.#family.members() : [];
    this.#left &&= found.length > 0;
    return found;
  }

  /** Ends it with everything that it started. Resolves when that is gone, with what could not be ended. */
  async stop(): Promise<readonly ProcessEntry[]> {
    if (!this.isAlive) return [];
    const left = await this.#family.end();
    this.#left = left.length > 0;
    if (left.length === 0) await within(this.#clock, COMMAND_KILL_MS, this.ended);
    this.#closeStreams();
    return left;
  }

  /** Nobody reads what it printed any more. */
  async forget(): Promise<void> {
    this.#closeStreams();
    await this.output.close();
  }

  /** What clears its environment and leaves its parent is known if it was seen before. */
  #look(ms: number): void {
    this.#cancelLook = this.#clock.after(ms, () => {
      void this.processes().then(() => {
        if (this.isAlive) this.#look(Math.min(2 * ms, COMMAND_LOOK_LONGEST_MS));
      });
    });
  }

  async #exited(code: number | null, signal: NodeJS.Signals | null): Promise<CommandEnd> {
    const ms = this.#clock.now() - this.#startedAt;
    this.#family.rootEnded();
    await this.#outputRead();
    const left = await this.#family.members();
    this.#left = left.length > 0;
    if (!this.#left) this.#closeStreams();
    this.#end = { code: code ?? undefined, signal: signal ?? undefined, ms, left };
    return this.#end;
  }

  /** Waits for the end of the output, or until nothing comes: what the command left running holds the pipe open. */
  async #outputRead(): Promise<void> {
    let isClosed = false;
    const closed = this.#closed.then(() => {
      isClosed = true;
    });
    const longest = this.#clock.now() + COMMAND_PIPE_LONGEST_MS;
    for (let before = -1; !isClosed && this.output.printed !== before && this.#clock.now() < longest;) {
      before = this.output.printed;
      await within(this.#clock, COMMAND_PIPE_QUIET_MS, closed);
    }
  }

  #take(chunk: Buffer): void {
    this.output.push(chunk);
    this.#countSlice(chunk.length);
    this.#flow();
    this.#show();
  }

  /** Not more than so many bytes in a slice of time: the processor belongs to the whole window. */
  #countSlice(bytes: number): void {
    if (this.#slice === undefined) {
      this.#clock.after(COMMAND_SLICE_MS, () => {
        this.#slice = undefined;
        this.#sliceIsFull = false;
        this.#flow();
      });
    }
    this.#slice = (this.#slice ?? 0) + bytes;
    this.#sliceIsFull = this.#slice >= COMMAND_SLICE_BYTES;
  }

  #flow(): void {
    const waits = this.#sliceIsFull || this.output.isFull;
    for (const stream of this.#started.streams) {
      if (waits !== stream.isPaused()) stream[waits ? 'pause' : 'resume']();
    }
  }

  #show(): void {
    if (this.#showing || this.#listeners.size === 0) return;
    this.#showing = true;
    this.#clock.after(Math.max(0, this.#showAt - this.#clock.now()), () => {
      this.#showing = false;
      this.#showAt = this.#clock.now() + COMMAND_LIVE_MS;
      if (this.#listeners.size === 0) return;
      const live = this.output.live();
      for (const listener of this.#listeners) listener(live);
    });
  }

  #closeStreams(): void {
    this.#cancelLook();
    for (const stream of this.#started.streams) stream.destroy();
    this.#started.child.stdin?.destroy();
  }
}

function whenClosed(stream: StartedProcess['streams'][number]): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}
