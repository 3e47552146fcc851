import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pause, type Clock } from '../../base/clock';
import { COMMAND_GONE_MS, COMMAND_KILL_MS, COMMAND_TERM_MS } from '../../base/limits';
import { isRunning, systemProcesses, type ProcessEntry, type ProcessTable } from './processTable';

/** A process that leads a group of its own, and all that came from it, wherever it went. */
export class ProcessFamily {
  readonly #root: number;
  readonly #marker: string;
  readonly #clock: Clock;
  readonly #table: ProcessTable;
  /** Processes that were found to belong to it: they do whatever they change later. */
  readonly #known = new Set<string>();
  /** The number of the root may by now name another process. */
  #rootIsFree = false;
  #rootEnded = false;

  /** @param marker what its environment carries */
  constructor(root: number, marker: string, clock: Clock, table: ProcessTable = systemProcesses) {
    this.#root = root;
    this.#marker = marker;
    this.#clock = clock;
    this.#table = table;
  }

  /** The root has ended: what is left of its group keeps its number taken, and when nothing is, it is anybody's. */
  rootEnded(): void {
    this.#rootEnded = true;
  }

  /**
   * Those that live: the group and session of the root, whatever carries the marker (a daemon keeps it, though it has
   * left both), and what any of them started.
   */
  async members(): Promise<readonly ProcessEntry[]> {
    const table = await this.#table(this.#marker);
    const ownGroup = table.find(({ pid }) => pid === process.pid)?.group;
    // Whatever the table says: neither the first process nor this one is ended, nor whom this one belongs to.
    const all = table.filter(({ pid, group }) => pid > 1 && pid !== process.pid && group !== ownGroup);
    const members = new Map<number, ProcessEntry>();
    const groups = new Set<number>();
    const add = (entry: ProcessEntry): void => {
      members.set(entry.pid, entry);
      groups.add(entry.group);
      this.#known.add(nameOf(entry));
    };
    for (const entry of all) if (this.#isSeed(entry)) add(entry);
    for (let before = -1; before !== members.size;) {
      before = members.size;
      for (const entry of all) {
        if (members.has(entry.pid)) continue;
        if (members.has(entry.parent) || groups.has(entry.group)) add(entry);
      }
    }
    if (this.#rootEnded && ![...members.values()].some(({ group, session }) => this.#isRoots(group, session))) {
      this.#rootIsFree = true;
    }
    return [...members.values()];
  }

  /**
   * Asks all of them to end, and kills what still lives a little later, again and again until nothing is found twice in
   * a row: what is just being started is in no list. Resolves with those that cannot be ended.
   */
  async end(): Promise<readonly ProcessEntry[]> {
    if (process.platform === 'win32') return this.#endOnWindows();
    this.#send([], 'SIGTERM');
    const asked = await this.members();
    this.#send(asked, 'SIGTERM');
    const patience = this.#clock.now() + COMMAND_TERM_MS;
    // Looking at all processes of the machine takes time that these few can use.
    while (asked.some(({ pid }) => isRunning(pid)) && this.#clock.now() < patience)
      await pause(this.#clock, COMMAND_GONE_MS);
    const end = this.#clock.now() + COMMAND_KILL_MS;
    for (let empty = 0; empty < 2; await pause(this.#clock, COMMAND_GONE_MS)) {
      const members = await this.members();
      if (members.length > 0 && this.#clock.now() >= end) return members;
      empty = members.length === 0 ? empty + 1 : 0;
      this.#send(members, 'SIGKILL');
    }
    return [];
  }

  /** By whole groups first: the system does that in one step, so that nothing can start anything meanwhile. */
  #send(members: readonly ProcessEntry[], signal: NodeJS.Signals): void {
    const groups = new Set(members.map(({ group }) => group).filter((group) => group > 1));
    // Even when the system tells of no processes.
    if (!this.#rootEnded) groups.add(this.#root);
    for (const target of [...[...groups].map((group) => -group), ...members.map(({ pid }) => pid)]) {
      try {
        process.kill(target, signal);
      } catch {
        // It has ended already, or is not ours to end.
      }
    }
  }

  async #endOnWindows(): Promise<readonly ProcessEntry[]> {
    // It fails when there is nothing left to end.
    if (!this.#rootEnded) await promisify(execFile)('taskkill', taskkillArguments(this.#root)).catch(() => undefined);
    return [];
  }

  #isSeed(entry: ProcessEntry): boolean {
    return entry.marked || this.#known.has(nameOf(entry)) || this.#isRoots(entry.group, entry.session);
  }

  #isRoots(group: number, session: number): boolean {
    return !this.#rootIsFree && (group === this.#root || session === this.#root);
  }
}

/** Ends a process with all that it and its children started. */
export function taskkillArguments(root: number): readonly string[] {
  return ['/PID', String(root), '/T', '/F'];
}

function nameOf({ pid, started }: ProcessEntry): string {
  return `${pid}:${started}`;
}
