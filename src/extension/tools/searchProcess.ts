import { SEARCH_FILE_BYTES, SEARCH_MATCHES, SEARCH_RECORD_BYTES } from '../base/limits';
import { LineSplitter } from './lineSplitter';
import { runRipgrep, type RipgrepEnd } from './ripgrepProcess';
import { readRipgrepRecord } from './ripgrepRecord';

/** What to look for, and where. */
export interface Search {
  readonly query: string;
  /** Whether `query` is a regular expression. */
  readonly regex: boolean;
  /** Last step of the pattern that paths have to match, when it is one that ripgrep reads alike: spares it files. */
  readonly names?: string;
  /** Real path of the folder in which the search runs. */
  readonly cwd: string;
  /** What is searched, relative to `cwd`. Contains no link. */
  readonly path: string;
  readonly ignoreFile: string | undefined;
  /** Whether matches in this file, relative to `cwd`, are wanted. */
  wants(path: string): boolean;
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

/** How a search ended. `more`: there are more matches than `SEARCH_MATCHES`. */
export type SearchEnd =
  | { readonly kind: 'stopped' | 'not_started' }
  | (Extract<RipgrepEnd, { readonly kind: 'done' }> & { readonly matches: readonly Match[]; readonly more: boolean });

/** Searches until all is searched, more than `SEARCH_MATCHES` are found, or `signal` aborts. It follows no links. */
export async function runSearch(program: string, search: Search, signal: AbortSignal): Promise<SearchEnd> {
  const splitter = new LineSplitter(SEARCH_RECORD_BYTES);
  const matches: Match[] = [];
  let path = '';
  let wanted = false;
  const take = (chunk: Buffer): boolean => {
    for (const line of splitter.push(chunk)) {
      const record = line === undefined ? undefined : readRipgrepRecord(line);
      if (record?.type === 'begin') {
        path = record.path;
        wanted = search.wants(path);
      } else if (!wanted) continue;
      else if (record?.type === 'match') matches.push(record);
      else if (line === undefined) matches.push({ path, line: 0, text: undefined, start: 0 });
      if (matches.length > SEARCH_MATCHES) return true;
    }
    return false;
  };
  const { cwd, ignoreFile } = search;
  const end = await runRipgrep({ program, cwd, ignoreFile, args: argumentsOf(search), take }, signal);
  if (end.kind !== 'done') return end;
  return { ...end, matches: matches.slice(0, SEARCH_MATCHES), more: end.enough };
}

function argumentsOf({ query, regex, names, path }: Search): string[] {
  return [
    '--json',
    '--smart-case',
    // What one file has is collected before it is printed: more is never shown.
    `--max-count=${SEARCH_MATCHES + 1}`,
    `--max-filesize=${SEARCH_FILE_BYTES}`,
    ...(regex ? [] : ['--fixed-strings']),
    // As a type, since a glob would bring back what is ignored.
    ...(names === undefined ? [] : [`--type-add=wanted:${names}`, '--type=wanted']),
    `--regexp=${query}`,
    '--',
    path,
  ];
}
