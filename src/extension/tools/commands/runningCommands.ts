import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { systemClock, type Clock } from '../../base/clock';
import { COMMANDS_AT_ONCE, COMMANDS_KEPT } from '../../base/limits';
import { failed, succeeded, type Result } from '../../base/result';
import { startCommand, type CommandLine } from './commandStart';
import { outputFolder } from './outputFolder';
import { RunningCommand } from './runningCommand';

/** The commands that one conversation runs, those in the background included, and the last ones that ended. */
export class RunningCommands {
  readonly clock: Clock;
  readonly #folder: string;
  readonly #commands = new Map<string, RunningCommand>();
  readonly #starting = new Set<Promise<unknown>>();
  #count = 0;
  /** Counts the times at which all were stopped: what was being started then is stopped, too. */
  #stops = 0;

  /**
   * @param folder on a disk, made when it is needed, for files that never have a name for longer than a moment: what commands print and memory
   * does not keep
   */
  constructor(folder: string = tmpdir(), clock: Clock = systemClock) {
    this.#folder = folder;
    this.clock = clock;
  }

  /** Starts a command. The failure is in words for the model. */
  async start(line: CommandLine): Promise<Result<RunningCommand, string>> {
    let running = this.#running();
    if (running.length >= COMMANDS_AT_ONCE) {
      await Promise.all(running.map((command) => command.processes()));
      running = this.#running();
    }
    if (running.length >= COMMANDS_AT_ONCE) {
      const ids = running.map(({ id }) => id).join(', ');
      return failed(`${running.length} commands run already (${ids}). Stop one with stop_command first.`);
    }
    const starting = this.#start(line);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  get(id: string): RunningCommand | undefined {
    return this.#commands.get(id);
  }

  /** The ids that can be asked for, oldest first. */
  get ids(): readonly string[] {
    return [...this.#commands.keys()];
  }

  /** Ends all of them with everything that they started. Resolves when they are gone. */
  async stopAll(): Promise<void> {
    this.#stops += 1;
    await Promise.all(this.#starting);
    await Promise.all([...this.#commands.values()].map((command) => command.stop()));
  }

  /** Ends all of them, and forgets what they printed. */
  async dispose(): Promise<void> {
    await this.stopAll();
    await Promise.all([...this.#commands.values()].map((command) => command.forget()));
    this.#commands.clear();
  }

  async #start(line: CommandLine): Promise<Result<RunningCommand, string>> {
    const stops = this.#stops;
    const marker = randomUUID();
    const folder = await outputFolder(this.#folder, Date.now());
    const started = await startCommand(line, marker, folder);
    if (!started.ok) return started;
    this.#count += 1;
    const place = { id: `c${this.#count}`, marker, folder, clock: this.clock };
    const command = new RunningCommand(line, started.value, place);
    this.#commands.set(command.id, command);
    this.#forgetOld();
    if (stops === this.#stops) return succeeded(command);
    await command.stop();
    return failed('Everything was stopped while the command was being started.');
  }

  #running(): readonly RunningCommand[] {
    return [...this.#commands.values()].filter(({ isAlive }) => isAlive);
  }

  #forgetOld(): void {
    const ended = [...this.#commands.values()].filter(({ isAlive }) => !isAlive);
    for (const command of ended.slice(0, Math.max(0, ended.length - COMMANDS_KEPT))) {
      this.#commands.delete(command.id);
      void command.forget();
    }
  }
}
