import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly commandLine: string;
}

/** All processes below one, nearest first. */
export function descendants(root: number): readonly Process[] {
  const all = processes();
  const found: Process[] = [];
  let parents = new Set([root]);
  while (parents.size > 0) {
    const children = all.filter((each) => parents.has(each.parent));
    found.push(...children);
    parents = new Set(children.map((each) => each.pid));
  }
  return found;
}

/** Whether a process runs. One that has ended and is not yet taken leave of does not. */
export function isRunning(pid: number): boolean {
  return processes().some((each) => each.pid === pid);
}

/**
 * Ends a process and all below it: it is asked first, and what still lives after the grace time is killed.
 * Only what belonged to the tree is touched; a process id that has been given to another program since is left alone.
 */
export async function endTree(root: number, graceMs = 3000): Promise<void> {
  const tree = [...processes().filter((each) => each.pid === root), ...descendants(root)];
  signal(root, 'SIGTERM');
  const deadline = Date.now() + graceMs;
  while (Date.now() < deadline && survivors(tree).length > 0) await new Promise((resolve) => setTimeout(resolve, 25));
  for (const { pid } of survivors(tree)) signal(pid, 'SIGKILL');
}

/** The same at once and without a promise, for the moment this process exits. */
export function killTree(root: number): void {
  for (const { pid } of [...descendants(root)].reverse()) signal(pid, 'SIGKILL');
  signal(root, 'SIGKILL');
}

function survivors(tree: readonly Process[]): readonly Process[] {
  const now = new Map(processes().map((each) => [each.pid, each.commandLine]));
  return tree.filter(({ pid, commandLine }) => now.get(pid) === commandLine);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}

function processes(): readonly Process[] {
  if (process.platform === 'linux') return processesOfLinux();
  if (process.platform === 'win32') return processesOfWindows();
  return execFileSync('ps', ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, commandLine = '']) => ({ pid: Number(pid), parent: Number(parent), commandLine }));
}

/** From `/proc`, since a small system may have no `ps`. */
function processesOfLinux(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name of the program, in parentheses, may hold anything.
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z') return [];
        const commandLine = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent: Number(parent), commandLine }];
      } catch {
        return []; // It ended while we looked.
      }
    });
}

function processesOfWindows(): readonly Process[] {
  const script =
    'Get-CimInstance Win32_Process | Select-Object ProcessId, ParentProcessId, CommandLine | ConvertTo-Json -Compress';
  const rows = JSON.parse(
    execFileSync('powershell', ['-NoProfile', '-Command', script], { encoding: 'utf8', maxBuffer: 1 << 26 }),
  ) as readonly { ProcessId: number; ParentProcessId: number; CommandLine: string | null }[];
  return rows.map((row) => ({ pid: row.ProcessId, parent: row.ParentProcessId, commandLine: row.CommandLine ?? '' }));
}
