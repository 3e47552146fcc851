import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { failed, succeeded, type Result } from '../../base/result';
import type { ShellKind } from '../action';
import { commandEnvironment } from './commandEnvironment';
import { WINDOW_MARKER, windowMark } from './commandGuard';
import { openOutputPipe } from './outputPipe';
import { shellArguments } from './shell';

/** What is to be run. */
export interface CommandLine {
  readonly command: string;
  /** Real path of the folder in which it runs. */
  readonly cwd: string;
  readonly shell: ShellKind;
  /** Nobody waits for its end, and text can be typed into it. */
  readonly background: boolean;
}

/** A command that has begun. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves with its exit code or signal. */
  readonly exited: Promise<readonly [number | null, NodeJS.Signals | null]>;
  /** Where its output arrives: one stream where the system has pipes with a name. */
  readonly streams: readonly Readable[];
}

/**
 * Starts a command as the leader of a process group and session of its own, without a terminal. `folder` is for a pipe
 * that has a name for a moment. The failure is in words.
 */
export async function startCommand(
  line: CommandLine,
  marker: string,
  folder: string,
): Promise<Result<StartedProcess, string>> {
  const problem = await folderProblem(line.cwd);
  if (problem !== undefined) return failed(problem);
  const pipe = line.shell.family === 'posix' ? await openOutputPipe(folder) : undefined;
  const output = pipe?.writer ?? 'pipe';
  try {
    const child = spawn(line.shell.program, shellArguments(line.shell, line.command), {
      cwd: line.cwd,
      env: { ...commandEnvironment(process.env, marker), [WINDOW_MARKER]: windowMark() },
      stdio: [line.background ? 'pipe' : 'ignore', output, output],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // It may end before anybody else could listen.
    const exited = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) => {
      child.once('exit', (code, signal) => resolve([code, signal]));
    });
    // Typing into a command that has ended is answered elsewhere.
    child.stdin?.on('error', () => undefined);
    await once(child, 'spawn');
    const streams = [pipe?.reader, child.stdout, child.stderr].filter(
      (stream) => stream !== null && stream !== undefined,
    );
    return succeeded({ child, pid: child.pid ?? 0, exited, streams });
  } catch (error) {
    pipe?.reader.destroy();
    return failed(startProblem(line, error));
  } finally {
    await pipe?.closeWriter();
  }
}

async function folderProblem(cwd: string): Promise<string | undefined> {
  try {
    if ((await realpath(cwd)) !== cwd) return `The folder ${cwd} was replaced by a link. Try again.`;
    return (await stat(cwd)).isDirectory() ? undefined : `${cwd} is no folder.`;
  } catch {
    return `The folder ${cwd} is gone or cannot be used.`;
  }
}

function startProblem({ shell, cwd }: CommandLine, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  switch (code) {
    case 'ENOENT':
      return `The shell ${shell.program} is not there, so no command can be run.`;
    case 'EACCES':
    case 'EPERM':
      return `The shell ${shell.program} may not be run in ${cwd}: access is denied.`;
    case 'E2BIG':
    case 'ENAMETOOLONG':
      return 'The command is too long for this system. Write it into a file and run that.';
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
      return `The system has no room for another process now (${code}). Stop what runs, or try later.`;
    default:
      return `The command could not be started (${code}).`;
  }
}
