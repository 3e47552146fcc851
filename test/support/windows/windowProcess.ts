import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as bundle, type Plugin } from 'esbuild';
import type { ActionAnswer, ActionCall, WindowActions } from './windowProgram';

/** The database driver is a native module: it is loaded from where it is installed. */
const installedDriver: Plugin = {
  name: 'installed driver',
  setup(build) {
    const driver = createRequire(import.meta.url).resolve('@vscode/sqlite3');
    build.onResolve({ filter: /^@vscode\/sqlite3$/ }, () => ({ path: driver, external: true }));
  },
};

/** Builds the program of a window once, and starts as many processes with it as a test needs. */
export class WindowProgram {
  readonly #folder: string;
  readonly #started: WindowProcess[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async build(): Promise<WindowProgram> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-window-'));
    await bundle({
      entryPoints: [join(import.meta.dirname, 'windowProgram.ts')],
      outfile: join(folder, 'window.cjs'),
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      supported: { 'dynamic-import': false },
      plugins: [installedDriver],
    });
    return new WindowProgram(folder);
  }

  /** A window on the history in `folder`. Its store is not opened yet: call `start`. */
  async window(folder: string, serverUrl?: string): Promise<WindowProcess> {
    const args = serverUrl === undefined ? [folder] : [folder, serverUrl];
    const child = fork(join(this.#folder, 'window.cjs'), args, { serialization: 'advanced', execArgv: [] });
    await once(child, 'message');
    const started = new WindowProcess(child);
    this.#started.push(started);
    return started;
  }

  /** Several windows on one history, all with their store open. */
  async windows(count: number, folder: string): Promise<readonly WindowProcess[]> {
    const all = await Promise.all(Array.from({ length: count }, () => this.window(folder)));
    await Promise.all(all.map((window) => window.do('start')));
    return all;
  }

  /** Ends what is left and removes the program. */
  async dispose(): Promise<void> {
    await Promise.all(this.#started.map((window) => window.kill()));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** A window in a process of its own. */
export class WindowProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  #calls = 0;

  constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', (answer: ActionAnswer) => {
      const call = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.ok) call?.resolve(answer.value);
      else call?.reject(new Error(answer.error));
    });
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the window has ended'));
      this.#waiting.clear();
    });
  }

  /** Has the window do something. Rejects when that throws there, or when the window ends meanwhile. */
  do<Name extends keyof WindowActions>(
    action: Name,
    ...args: Parameters<WindowActions[Name]>
  ): Promise<Awaited<ReturnType<WindowActions[Name]>>> {
    this.#calls += 1;
    const call: ActionCall = { id: this.#calls, action, args };
    return new Promise((resolve, reject) => {
      this.#waiting.set(call.id, { resolve: resolve as (value: unknown) => void, reject });
      // Without a callback the failure is an error event of the process, which would belong to no test.
      this.#child.send(call, (error) => {
        if (error === null) return;
        this.#waiting.delete(call.id);
        reject(error);
      });
    });
  }

  /** Closes the window as the editor would, and ends the process. */
  async close(): Promise<void> {
    await this.do('close');
    await this.kill();
  }

  /** Ends the process at once, as a crash does. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
