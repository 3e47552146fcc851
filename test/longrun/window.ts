import { Child } from '../torture/child';
import type { Undo } from '../torture/undo';
import type { ParentLine, WindowLine, WindowMoment, WindowOptions } from './lines';
import type { Question } from './person';

/** What a window is started with, and by what. */
export interface WindowStart {
  readonly options: WindowOptions;
  /** Folder of the bundled program. */
  readonly programs: string;
  /** Descriptor for what it writes on its standard error. */
  readonly errors: number;
  readonly undo: Undo;
  readonly heard: (line: WindowLine) => void;
}

export type OpenLine = Extract<WindowLine, { readonly kind: 'open' }>;

/** How a wait for a window ended. */
export type Waited<Line> =
  { readonly kind: 'heard'; readonly line: Line } | { readonly kind: 'dead'; readonly how: string };

/** A window in a process of its own. */
export class Window {
  readonly #child: Child<ParentLine, WindowLine>;
  readonly #waiting: { readonly wanted: (line: WindowLine) => boolean; readonly give: (line: WindowLine) => void }[] =
    [];

  constructor({ options, programs, errors, undo, heard }: WindowStart) {
    this.#child = new Child({
      programs,
      program: 'worker',
      argument: JSON.stringify(options),
      errors,
      undo,
      heard: (line: WindowLine) => {
        heard(line);
        const place = this.#waiting.findIndex(({ wanted }) => wanted(line));
        if (place >= 0) this.#waiting.splice(place, 1)[0]?.give(line);
      },
    });
  }

  /** How it ended. */
  get ended(): Promise<string> {
    return this.#child.ended;
  }

  /** The next line of a kind, or the end of the window. Ask before the line can come. */
  next<Kind extends WindowLine['kind']>(
    ...kinds: readonly Kind[]
  ): Promise<Waited<Extract<WindowLine, { kind: Kind }>>> {
    const heard = new Promise<Waited<Extract<WindowLine, { kind: Kind }>>>((resolve) => {
      this.#waiting.push({
        wanted: (line) => kinds.some((kind) => kind === line.kind),
        give: (line) => resolve({ kind: 'heard', line: line as Extract<WindowLine, { kind: Kind }> }),
      });
    });
    return Promise.race([heard, this.ended.then((how) => ({ kind: 'dead', how }) as const)]);
  }

  send({ clientId, text }: Question): void {
    this.#child.tell({ kind: 'send', clientId, text });
  }

  retry(): void {
    this.#child.tell({ kind: 'retry' });
  }

  /** It kills itself when it comes to that moment. */
  dieAt(moment: WindowMoment): void {
    this.#child.tell({ kind: 'die', at: moment });
  }

  close(): void {
    this.#child.tell({ kind: 'close' });
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#child.process.kill('SIGKILL');
    await this.ended;
  }
}
