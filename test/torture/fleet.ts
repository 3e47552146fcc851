import { Child, type ChildOptions } from './child';
import type { ParentLine, WorkerLine } from './lines';
import type { Random } from './random';
import type { WorkerOptions } from './worker';

/** A window that closes has so long (ms) to write what waits, and a machine that is busy needs its time. */
const CLOSING_MS = 30_000;
const LONGEST_REST_MS = 800;

export interface Worker {
  /** Number of the worker and of its life: `w2.7`. */
  readonly name: string;
  readonly child: Child<ParentLine, WorkerLine>;
  isFrozen: boolean;
  isKilled: boolean;
  /** It was told to close. */
  isLeaving: boolean;
}

export interface FleetOptions {
  readonly size: number;
  readonly seed: number;
  readonly folder: string;
  /** Folder of the files that calls change. */
  readonly files: string;
  readonly random: Random;
  readonly child: Omit<ChildOptions<WorkerLine>, 'program' | 'argument' | 'heard'>;
  readonly heard: (who: string, line: WorkerLine) => void;
  /** `byItself`: nobody killed it. */
  readonly ended: (who: string, how: string, byItself: boolean) => void;
}

/** The windows. One that dies is opened again, until the fleet is told to close. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #workers = new Map<number, Worker>();
  #isClosing = false;

  constructor(options: FleetOptions) {
    this.#options = options;
    for (let number = 1; number <= options.size; number += 1) this.#open(number, 1);
  }

  get living(): readonly Worker[] {
    return [...this.#workers.values()].filter(({ child, isKilled }) => !child.isOver && !isKilled);
  }

  kill(worker: Worker): void {
    worker.isKilled = true;
    worker.child.process.kill('SIGKILL');
  }

  freeze(worker: Worker): void {
    worker.isFrozen = true;
    worker.child.process.kill('SIGSTOP');
  }

  thaw(worker: Worker): void {
    worker.isFrozen = false;
    worker.child.process.kill('SIGCONT');
  }

  /** Closes the window in the middle of what it does. */
  leave(worker: Worker): void {
    worker.isLeaving = true;
    worker.child.tell({ kind: 'leave' });
  }

  /** Nobody does anything new, and nobody who dies comes back. */
  calmDown(): void {
    this.#isClosing = true;
    for (const { child } of this.living) child.tell({ kind: 'calm' });
  }

  /** Answers with the names of those that did not end. */
  async close(): Promise<readonly string[]> {
    const hung: string[] = [];
    const closing = this.living.map(async ({ name, child }) => {
      child.tell({ kind: 'close' });
      if ((await child.endedWithin(CLOSING_MS)) === undefined) hung.push(name);
    });
    await Promise.all(closing);
    return hung;
  }

  #open(number: number, life: number): void {
    const { seed, folder, files, random, child, heard, ended } = this.#options;
    const name = `w${number}.${life}`;
    const argument: WorkerOptions = { folder, files, seed, topic: name };
    const worker: Worker = {
      name,
      isFrozen: false,
      isKilled: false,
      isLeaving: false,
      child: new Child({
        ...child,
        program: 'worker',
        argument: JSON.stringify(argument),
        heard: (line) => heard(name, line),
      }),
    };
    this.#workers.set(number, worker);
    void worker.child.ended.then((how) => {
      ended(name, how, !worker.isKilled && !((this.#isClosing || worker.isLeaving) && how === 'exit code 0'));
      if (this.#isClosing) return;
      setTimeout(
        () => {
          if (!this.#isClosing) this.#open(number, life + 1);
        },
        random.between(0, LONGEST_REST_MS),
      );
    });
  }
}
