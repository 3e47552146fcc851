import { spawn } from 'node:child_process';
import { SEARCH_MATCHES, SEARCH_RECORD_BYTES, SEARCH_WORDS_CHARS } from '../base/limits';
import { cutAt } from '../base/text';
import { LineSplitter } from './lineSplitter';
import { readRipgrepRecord } from './ripgrepRecord';

/** What to look for, and where. */
export interface Search {
  readonly query: string;
  /** Whether `query` is a regular expression. */
  readonly regex: boolean;
  readonly glob?: string;
  /** Real path of the folder in which the search runs. */
  readonly cwd: string;
  /** What is searched, relative to `cwd`. Contains no link. */
  readonly path: string;
}

/** One matching line. */
export interface Match {
  readonly path: string;
  /** 0 when the line was too long to be read. */
  readonly line: number;
  /** Undefined when the line was too long to be read. */
  readonly text: string | undefined;
  /** Where the match begins in `text`, in UTF-8 bytes. */
  readonly start: number;
}

/** How a search ended. `complaint`: what the program said about what it could not do, cut. */
export type SearchEnd =
  | { readonly kind: 'done'; readonly matches: readonly Match[]; readonly more: boolean; readonly complaint: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'not_started' };

/**
 * Runs ripgrep until it ends, has found more than `SEARCH_MATCHES`, or `signal` aborts. It starts no processes of its
 * own (neither preprocessors nor archives are switched on), so ending it alone is enough. It follows no links.
 */
export function runSearch(ripgrepPath: string, search: Search, signal: AbortSignal): Promise<SearchEnd> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve({ kind: 'stopped' });
      return;
    }
    const child = spawn(ripgrepPath, argumentsOf(search), {
      cwd: search.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const kill = (): void => {
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', kill, { once: true });
    const splitter = new LineSplitter(SEARCH_RECORD_BYTES);
    const matches: Match[] = [];
    let path = '';
    let complaint = '';
    const end = (result: SearchEnd): void => {
      signal.removeEventListener('abort', kill);
      resolve(signal.aborted ? { kind: 'stopped' } : result);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        if (matches.length > SEARCH_MATCHES) break;
        const record = line === undefined ? undefined : readRipgrepRecord(line);
        if (record?.type === 'begin') path = record.path;
        else if (record?.type === 'match') matches.push(record);
        else if (line === undefined) matches.push({ path, line: 0, text: undefined, start: 0 });
      }
      if (matches.length > SEARCH_MATCHES) kill();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < SEARCH_WORDS_CHARS) complaint += chunk.toString('utf8');
    });
    child.on('error', () => end({ kind: 'not_started' }));
    child.on('close', () => {
      const more = matches.length > SEARCH_MATCHES;
      const words = cutAt(complaint.trim(), SEARCH_WORDS_CHARS).toWellFormed();
      end({ kind: 'done', matches: matches.slice(0, SEARCH_MATCHES), more, complaint: words });
    });
  });
}

function argumentsOf(search: Search): string[] {
  return [
    '--json',
    '--no-config',
    '--no-follow',
    '--hidden',
    '--smart-case',
    // What one file has is collected before it is printed: more is never shown.
    `--max-count=${SEARCH_MATCHES + 1}`,
    ...(search.regex ? [] : ['--fixed-strings']),
    ...(search.glob === undefined ? [] : [`--glob=${search.glob}`]),
    // After the model's own, so that it wins.
    '--glob=!.git',
    `--regexp=${search.query}`,
    '--',
    search.path,
  ];
}
