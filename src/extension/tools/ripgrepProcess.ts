import { spawn } from 'node:child_process';
import { FIND_PATH_BYTES, SEARCH_WORDS_CHARS } from '../base/limits';
import { cutAt } from '../base/text';
import { LineSplitter } from './lineSplitter';
import { SkippedFiles, type Skipped } from './skippedFiles';

/**
 * How a run of ripgrep ended. `enough`: it was ended because nothing more was wanted. `complaint`: what it said about what it
 * could not do, cut.
 */
export type RipgrepEnd =
  | { readonly kind: 'done'; readonly enough: boolean; readonly complaint: string; readonly skipped: Skipped }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_started' };

/** A run of ripgrep. It follows no links. */
export interface RipgrepRun {
  readonly program: string;
  /** Real path of the folder in which it runs. */
  readonly cwd: string;
  /** Absolute path of a file with further rules on what is left out. */
  readonly ignoreFile: string | undefined;
  /** What it is told beside what holds for every run; `--` and paths last. */
  readonly args: readonly string[];
  /** Takes what it prints. True: it is enough. */
  take(chunk: Buffer): boolean;
}

/**
 * Runs ripgrep until it ends, is told that it is enough, or `signal` aborts. It starts no processes of its own (neither
 * preprocessors nor archives are switched on), so ending it alone is enough.
 */
export function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'stopped' });
      return;
    }
    const child = spawn(run.program, argumentsOf(run), {
      cwd: run.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const kill = (): void => {
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', kill, { once: true });
    const splitter = new LineSplitter(FIND_PATH_BYTES);
    const skipped = new SkippedFiles(run.ignoreFile);
    let enough = false;
    let complaint = '';
    const end = (result: RipgrepEnd): void => {
      signal.removeEventListener('abort', kill);
      resolve(signal.aborted ? { kind: 'stopped' } : result);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      if (enough) return;
      enough = run.take(chunk);
      if (enough) kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        const complains = line !== undefined && !skipped.take(line);
        if (complains && complaint.length < SEARCH_WORDS_CHARS) complaint += `${line}\n`;
      }
    });
    child.on('error', () => end({ kind: 'not_started' }));
    child.on('close', () => {
      const words = cutAt(complaint.trim(), SEARCH_WORDS_CHARS).toWellFormed();
      end({ kind: 'done', enough, complaint: words, skipped: skipped.counts });
    });
  });
}

function argumentsOf({ ignoreFile, args }: RipgrepRun): string[] {
  return [
    '--no-config',
    '--no-follow',
    '--hidden',
    // What a .gitignore says holds without a repository, too.
    '--no-require-git',
    // It says there what it leaves out, and why.
    '--debug',
    '--glob=!.git',
    ...(ignoreFile === undefined ? [] : [`--ignore-file=${ignoreFile}`]),
    ...args,
  ];
}
