import * as z from 'zod';
import { FIND_COUNTED, FIND_FILES, FIND_PATH_BYTES } from '../base/limits';
import { stillConfined } from './confine';
import { defineTool } from './defineTool';
import { LineSplitter } from './lineSplitter';
import { counted, printable } from './outputText';
import { pathGlob } from './pathGlob';
import { runRipgrep, type RipgrepEnd } from './ripgrepProcess';
import { skippedWords } from './skippedFiles';
import { refused, type ToolOutcome } from './tool';
import { confineVisible } from './visiblePlace';

/** Finds files of the workspace folder by name. */
export const findFilesTool = defineTool({
  name: 'find_files',
  description:
    'Finds files of the workspace folder by name or path. Upper and lower case are the same. Ignored files (.gitignore) are left out.',
  schema: z.object({
    pattern: z
      .string()
      .min(1)
      .describe('Pattern such as *.ts or src/**/*.test.ts; a plain word is looked for in names'),
    path: z.string().optional().describe('Folder to look in; everything if absent'),
  }),
  example: { pattern: '*.test.ts', path: 'src' },
  readOnly: true,
  run: async ({ pattern, path }, host, signal) => {
    const glob = pathGlob(/[*?[{]/.test(pattern) ? pattern : asPart(pattern), true);
    if (!glob.ok) return glob.failure;
    const visible = await confineVisible(host.root, path ?? '.');
    if (!visible.ok) return visible.failure;
    const { place, rules } = visible.value;
    const found: string[] = [];
    const splitter = new LineSplitter(FIND_PATH_BYTES, 0);
    const take = (chunk: Buffer): boolean => {
      for (const entry of splitter.push(chunk)) {
        const file = entry?.replace(/^\.[\\/]/, '').replaceAll('\\', '/');
        if (file !== undefined && glob.value(file) && !rules.isIgnored(file, 'file')) found.push(file);
        if (found.length > FIND_COUNTED) return true;
      }
      return false;
    };
    const end = await runRipgrep(
      {
        program: host.ripgrepPath,
        cwd: place.root,
        ignoreFile: rules.file,
        // In order, so that the same ones are shown each time.
        args: ['--files', '--null', '--sort=path', '--', place.shown],
        take,
      },
      signal,
    );
    // The folder is named to another program: it could have been replaced by a link since the check.
    if (!(await stillConfined(place))) return refused(`${place.shown} was replaced meanwhile. Try again.`, 'changed');
    return outcomeOf(end, found);
  },
});

/** A plain word as a pattern: names that contain it; with `/`, paths that end so. */
function asPart(words: string): string {
  const bare = words.trim();
  return bare.includes('/') ? `**/${bare.replace(/^(?:\.?\/)+/, '')}*` : `*${bare}*`;
}

function outcomeOf(end: RipgrepEnd, found: readonly string[]): ToolOutcome {
  if (end.kind === 'stopped') return refused('Stopped.', 'stopped');
  if (end.kind === 'not_started') {
    return refused('The program that finds files could not be started. Use list_files.', 'no search program');
  }
  const { enough, complaint } = end;
  if (found.length === 0 && complaint !== '') return refused(`Looking for files failed: ${complaint}`, 'search failed');
  const shown = found.slice(0, FIND_FILES).map(printable);
  const more = found.length - shown.length;
  const rest = [
    ...(more > 0
      ? [`[… ${enough ? 'more than ' : ''}${more} more files: narrow the search with path or the pattern …]`]
      : []),
    ...skippedWords(end.skipped, 0),
    ...(complaint === '' ? [] : [`[Some folders could not be looked into: ${complaint}]`]),
  ];
  const summary = enough ? `${FIND_COUNTED}+ files` : counted(found.length, 'file', 'files');
  const listed = found.length === 0 ? ['No files match.'] : shown;
  return {
    ok: true,
    content: [...listed, ...rest].join('\n'),
    summary: more > 0 && !enough ? `${summary}, cut` : summary,
  };
}
