import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import * as z from 'zod';
import { LIST_ENTRIES } from '../base/limits';
import { confine, stillConfined } from './confine';
import { defineTool } from './defineTool';
import { counted, printable } from './outputText';
import { refused, type ToolOutcome } from './tool';

/** Lists the entries of one folder of the workspace folder. */
export const listFilesTool = defineTool({
  name: 'list_files',
  description: 'Lists one folder of the workspace folder. Names of folders end with "/". Does not go into them.',
  schema: z.object({
    path: z
      .string()
      .optional()
      .describe('Folder, relative to the workspace folder; the workspace folder itself if absent'),
  }),
  example: { path: 'src' },
  readOnly: true,
  run: async (args, host) => {
    const confined = await confine(host.root, args.path ?? '.');
    if (!confined.ok) return confined.failure;
    const folder = confined.value;
    let entries: Dirent[];
    try {
      entries = await readdir(folder.real, { withFileTypes: true });
    } catch (error) {
      return cannotList(folder.shown, error);
    }
    // A folder is read by its name: it could have been replaced by a link since the check.
    if (!(await stillConfined(folder)))
      return refused(`${folder.shown} was replaced while it was read. Try again.`, 'changed');
    return listed(entries.filter(({ name }) => name !== '.git'));
  },
});

function listed(entries: readonly Dirent[]): ToolOutcome {
  const names = entries.map(shownName).toSorted();
  const summary = counted(names.length, 'entry', 'entries');
  if (names.length === 0) return { ok: true, content: '(The folder is empty.)', summary };
  const shown = names.slice(0, LIST_ENTRIES);
  const more = names.length - shown.length;
  const rest = more > 0 ? [`[… ${more} more entries omitted …]`] : [];
  return { ok: true, content: [...shown, ...rest].join('\n'), summary: more > 0 ? `${summary}, cut` : summary };
}

function shownName(entry: Dirent): string {
  const name = printable(entry.name);
  if (entry.isSymbolicLink()) return `${name} (link)`;
  return entry.isDirectory() ? `${name}/` : name;
}

function cannotList(shown: string, error: unknown): ToolOutcome {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOTDIR'
    ? refused(`${shown} is a file. Use read_file.`, 'a file')
    : refused(`${shown} cannot be listed (${code}).`, 'cannot be listed');
}
