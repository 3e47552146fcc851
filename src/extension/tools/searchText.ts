import * as path from 'node:path';
import * as z from 'zod';
import { SEARCH_FILE_BYTES, SEARCH_LINE_CHARS } from '../base/limits';
import { stillConfined } from './confine';
import { defineTool } from './defineTool';
import { counted, cutLine, printable, textFrom } from './outputText';
import { pathGlob } from './pathGlob';
import { runSearch, type Match, type SearchEnd } from './searchProcess';
import { skippedWords, type Skipped } from './skippedFiles';
import { refused, type ToolOutcome } from './tool';
import { confineVisible } from './visiblePlace';

/** Searches the text of the files in the workspace folder. */
export const searchTextTool = defineTool({
  name: 'search_text',
  description:
    'Finds lines with a text in the files of the workspace folder. Ignored files (.gitignore) are left out. ' +
    'Upper and lower case are told apart only when the query has upper case.',
  schema: z.object({
    query: z.string().min(1).describe('Text to find'),
    path: z.string().optional().describe('File or folder to search; everything if absent'),
    regex: z.boolean().optional().describe('true: the query is a regular expression'),
    glob: z.string().optional().describe('Only files that match, such as *.ts'),
  }),
  example: { query: 'openFile', glob: '*.ts' },
  readOnly: true,
  run: async ({ query, path: written, regex, glob }, host, signal) => {
    if (query.includes('\0')) return refused('The query contains a NUL character.', 'bad query');
    const matches = pathGlob(glob ?? '', false);
    if (!matches.ok) return matches.failure;
    const visible = await confineVisible(host.root, written ?? '.');
    if (!visible.ok) return visible.failure;
    const { place, rules } = visible.value;
    const names = plainNames(glob ?? '');
    const end = await runSearch(
      host.ripgrepPath,
      {
        query,
        regex: regex ?? false,
        cwd: place.root,
        path: place.shown,
        ignoreFile: rules.file,
        wants: (file) => matches.value(file) && !rules.isIgnored(file, 'file'),
        ...(names === undefined ? {} : { names }),
      },
      signal,
    );
    // What is searched is named to another program: it could have been replaced by a link since the check.
    if (!(await stillConfined(place)))
      return refused(`${place.shown} was replaced during the search. Try again.`, 'changed');
    return outcomeOf(end, place.root);
  },
});

/** The last step of a pattern, where that is one that every program reads alike. */
function plainNames(glob: string): string | undefined {
  const name = /^[^{}]*$/.test(glob) ? glob.slice(glob.lastIndexOf('/') + 1) : '';
  return /^[\w.*-]+$/.test(name) && !name.includes('**') ? name : undefined;
}

async function outcomeOf(end: SearchEnd, root: string): Promise<ToolOutcome> {
  switch (end.kind) {
    case 'stopped':
      return refused('Stopped.', 'stopped');
    case 'not_started':
      return refused('The search program could not be started. Use list_files and read_file.', 'no search program');
    case 'done': {
      const { complaint, skipped, more } = end;
      const matches = await withoutLinks(end.matches, root);
      return matches.length === 0 ? nothing(complaint, skipped) : found(matches, more, complaint, skipped);
    }
  }
}

/** Without those in a folder that turned into a link while it was searched. */
async function withoutLinks(matches: readonly Match[], root: string): Promise<readonly Match[]> {
  const files = [...new Set(matches.map((match) => match.path))];
  const real = await Promise.all(
    files.map((file) => stillConfined({ real: path.join(root, file) }).then((still) => (still ? file : undefined))),
  );
  const kept = new Set(real);
  return matches.filter((match) => kept.has(match.path));
}

function nothing(complaint: string, skipped: Skipped): ToolOutcome {
  return complaint === ''
    ? {
        ok: true,
        content: ['No matches.', ...skippedWords(skipped, SEARCH_FILE_BYTES)].join('\n'),
        summary: 'no matches',
      }
    : refused(`The search failed: ${complaint}`, 'search failed');
}

function found(matches: readonly Match[], more: boolean, complaint: string, skipped: Skipped): ToolOutcome {
  const lines = matches.toSorted(byPlace).map(shownMatch);
  if (more)
    lines.push(`[… more than ${matches.length} matches: narrow the search with path, glob or a longer query …]`);
  lines.push(...skippedWords(skipped, SEARCH_FILE_BYTES));
  if (complaint !== '') lines.push(`[Some files could not be searched: ${complaint}]`);
  const summary = more ? `${matches.length}+ matches` : counted(matches.length, 'match', 'matches');
  return { ok: true, content: lines.join('\n'), summary };
}

/** Files are searched side by side: the order in which they report means nothing. */
function byPlace(one: Match, other: Match): number {
  if (one.path === other.path) return one.line - other.line;
  return one.path < other.path ? -1 : 1;
}

function shownMatch(match: Match): string {
  const file = printable(match.path);
  if (match.text === undefined) return `${file}: (a match in a line that is too long to show)`;
  return `${file}:${match.line}: ${cutLine(around(match.text, match.start), SEARCH_LINE_CHARS)}`;
}

/** A long line from a little before the match on, so that cutting leaves the match. */
function around(text: string, startBytes: number): string {
  if (text.length <= SEARCH_LINE_CHARS) return text;
  const start = Buffer.from(text).subarray(0, startBytes).toString('utf8').length;
  const from = start - Math.floor(SEARCH_LINE_CHARS / 4);
  return from <= 0 ? text : `…${textFrom(text, from)}`;
}
