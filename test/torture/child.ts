import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Undo } from './undo';

export interface ChildOptions<Heard> {
  /** Folder of the bundled programs. */
  readonly programs: string;
  readonly program: string;
  readonly argument: string;
  /** Descriptor to which the standard error of all children goes. */
  readonly errors: number;
  readonly undo: Undo;
  readonly heard: (line: Heard) => void;
}

/** A process of ours that speaks in lines of JSON. */
export class Child<Said extends object, Heard> {
  readonly process: ChildProcess;
  /** How it ended: `exit code 0`, `SIGKILL`. Comes after its last line. */
  readonly ended: Promise<string>;
  #isOver = false;

  constructor({ programs, program, argument, errors, undo, heard }: ChildOptions<Heard>) {
    this.process = spawn(process.execPath, [join(programs, `${program}.mjs`), argument], {
      stdio: ['pipe', 'ignore', errors, 'pipe'],
    });
    const gone = undo.add(() => this.process.kill('SIGKILL'));
    this.process.stdin?.on('error', () => undefined); // It may be dead already.
    let rest = '';
    const lines = this.process.stdio[3] as Readable;
    lines.setEncoding('utf8').on('data', (text: string) => {
      const complete = (rest + text).split('\n');
      // A line that was cut by the death of its process was never said.
      rest = complete.pop() ?? '';
      for (const line of complete) heard(JSON.parse(line) as Heard);
    });
    this.ended = new Promise((resolve) => {
      this.process.on('error', (error) => resolve(error.message));
      this.process.on('close', (code, signal) => {
        this.#isOver = true;
        gone();
        resolve(signal ?? `exit code ${code}`);
      });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  tell(line: Said): void {
    if (!this.#isOver) this.process.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** How it ended, or nothing when it did not in time: then it is killed. */
  async endedWithin(ms: number): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), ms);
    });
    const ended = await Promise.race([this.ended, late]);
    clearTimeout(timer);
    if (ended === undefined) this.process.kill('SIGKILL');
    return ended;
  }
}
