import * as z from 'zod';
import { SEARCH_LINE_CHARS } from '../base/limits';
import { confine, stillConfined } from './confine';
import { defineTool } from './defineTool';
import { counted, cutLine, printable, textFrom } from './outputText';
import { runSearch, type Match, type SearchEnd } from './searchProcess';
import { refused, type ToolOutcome } from './tool';

/** Searches the text of the files in the workspace folder. */
export const searchTextTool = defineTool({
  name: 'search_text',
  description:
    'Finds lines with a text in the files of the workspace folder. Ignored files (.gitignore) are left out. ' +
    'Upper and lower case are told apart only when the query has upper case.',
  schema: z.object({
    query: z.string().min(1).describe('Text to find'),
    path: z
      .string()
      .optional()
      .describe('File or folder to search, relative to the workspace folder; everything if absent'),
    regex: z.boolean().optional().describe('true: the query is a regular expression'),
    glob: z.string().optional().describe('Only files that match, such as *.ts'),
  }),
  example: { query: 'openFile', glob: '*.ts' },
  readOnly: true,
  run: async ({ query, path, regex, glob }, host, signal) => {
    if (`${query}${glob ?? ''}`.includes('\0')) return refused('The query contains a NUL character.', 'bad query');
    const confined = await confine(host.root, path ?? '.');
    if (!confined.ok) return confined.failure;
    const place = confined.value;
    const search = { query, regex: regex ?? false, cwd: place.root, path: place.shown };
    const end = await runSearch(
      host.ripgrepPath,
      glob === undefined || glob === '' ? search : { ...search, glob },
      signal,
    );
    // What is searched is named to another program: it could have been replaced by a link since the check.
    if (!(await stillConfined(place)))
      return refused(`${place.shown} was replaced during the search. Try again.`, 'changed');
    return outcomeOf(end);
  },
});

function outcomeOf(end: SearchEnd): ToolOutcome {
  switch (end.kind) {
    case 'stopped':
      return refused('Stopped.', 'stopped');
    case 'not_started':
      return refused('The search program could not be started. Use list_files and read_file.', 'no search program');
    case 'done':
      return end.matches.length === 0 ? nothing(end.complaint) : found(end.matches, end.more, end.complaint);
  }
}

function nothing(complaint: string): ToolOutcome {
  return complaint === ''
    ? { ok: true, content: 'No matches.', summary: 'no matches' }
    : refused(`The search failed: ${complaint}`, 'search failed');
}

function found(matches: readonly Match[], more: boolean, complaint: string): ToolOutcome {
  const lines = matches.toSorted(byPlace).map(shownMatch);
  if (more)
    lines.push(`[… more than ${matches.length} matches: narrow the search with path, glob or a longer query …]`);
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
  const path = printable(match.path);
  if (match.text === undefined) return `${path}: (a match in a line that is too long to show)`;
  return `${path}:${match.line}: ${cutLine(around(match.text, match.start), SEARCH_LINE_CHARS)}`;
}

/** A long line from a little before the match on, so that cutting leaves the match. */
function around(text: string, startBytes: number): string {
  if (text.length <= SEARCH_LINE_CHARS) return text;
  const start = Buffer.from(text).subarray(0, startBytes).toString('utf8').length;
  const from = start - Math.floor(SEARCH_LINE_CHARS / 4);
  return from <= 0 ? text : `…${textFrom(text, from)}`;
}
