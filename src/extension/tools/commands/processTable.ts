import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { MARKER } from './commandEnvironment';

/** A process that lives. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** Its process group and session. A session that is not known is 0. */
  readonly group: number;
  readonly session: number;
  /** When it began, in whatever unit: with `pid` it names one process for ever. */
  readonly started: string;
  /** Its program, with its arguments where they are known, for people. */
  readonly words: string;
  /** Whether its environment carries the marker that was looked for. */
  readonly marked: boolean;
}

/** All processes of this machine that can be seen, none when it does not tell. `marker`: what is looked for in them. */
export type ProcessTable = (marker: string) => Promise<readonly ProcessEntry[]>;

/** How many processes are looked at before others have their turn. */
const AT_ONCE = 32;

/** What this system knows of its processes. Windows is asked for none: there, a tree is ended by `taskkill`. */
export const systemProcesses: ProcessTable = (marker) => {
  if (process.platform === 'linux') return linuxProcesses(marker);
  return process.platform === 'win32' ? Promise.resolve([]) : psProcesses(marker);
};

async function linuxProcesses(marker: string): Promise<readonly ProcessEntry[]> {
  const names = await readdir('/proc').catch(() => []);
  const found: ProcessEntry[] = [];
  for (const [index, name] of names.filter((each) => /^\d+$/.test(each)).entries()) {
    // These files are memory of the system: reading one takes microseconds, a detour over other threads much longer.
    const entry = linuxProcess(name, marker);
    if (entry !== undefined) found.push(entry);
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate();
  }
  return found;
}

function linuxProcess(pid: string, marker: string): ProcessEntry | undefined {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'latin1');
    } catch {
      return ''; // It has ended, or is somebody else's.
    }
  };
  const stat = parseStat(read('stat'));
  if (stat === undefined) return undefined;
  const marked = isMarked(read('environ').split('\0'), marker);
  const words = marked ? Buffer.from(read('cmdline'), 'latin1').toString('utf8').replaceAll('\0', ' ').trim() : '';
  return { ...stat, words: words === '' ? stat.words : words, marked };
}

/** Whether this process runs. One that has ended and that its parent has not asked about does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1')) !== undefined;
  } catch {
    return false;
  }
}

/** A line of `/proc/…/stat`; undefined when the process has ended. */
export function parseStat(line: string): Omit<ProcessEntry, 'marked'> | undefined {
  // The name of the program, in parentheses, may hold anything.
  const [state = '', parent, group, session, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const started = rest[15];
  if (started === undefined || /[ZXx]/.test(state)) return undefined;
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    started,
    words: line.slice(line.indexOf('(') + 1, line.lastIndexOf(')')),
  };
}

const PS_ARGUMENTS: readonly string[] = ['-axEwwo', 'pid=,ppid=,pgid=,state=,lstart=,command='];
/** Longest answer (bytes): it holds the environment of every process. */
const PS_BYTES = 268_435_456;

async function psProcesses(marker: string): Promise<readonly ProcessEntry[]> {
  const options = { env: { ...process.env, LC_ALL: 'C' }, maxBuffer: PS_BYTES };
  const { stdout } = await promisify(execFile)('ps', [...PS_ARGUMENTS], options).catch(() => ({ stdout: '' }));
  return parsePs(stdout, marker);
}

/** What `ps` of macOS prints: the environment follows the words of each command. */
export function parsePs(text: string, marker: string): readonly ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = '', started = '', rest = ''] = match;
    if (state.startsWith('Z')) return [];
    const marked = isMarked(rest.split(' '), marker);
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, started, words: rest, marked },
    ];
  });
}

function isMarked(variables: readonly string[], marker: string): boolean {
  return variables.includes(`${MARKER}=${marker}`);
}
