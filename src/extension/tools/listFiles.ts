import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import * as z from 'zod';
import { LIST_ENTRIES } from '../base/limits';
import { stillConfined, type ConfinedPath } from './confine';
import { defineTool } from './defineTool';
import { counted, printable } from './outputText';
import { refused, type ToolOutcome } from './tool';
import { confineVisible } from './visiblePlace';

/** Lists the entries of one folder of the workspace folder. */
export const listFilesTool = defineTool({
  name: 'list_files',
  description: 'Lists one folder of the workspace folder. Names of folders end with "/". Does not go into them.',
  schema: z.object({
    path: z.string().optional().describe('Folder; the workspace folder itself if absent'),
  }),
  example: { path: 'src' },
  readOnly: true,
  run: async (args, host) => {
    const visible = await confineVisible(host.root, args.path ?? '.');
    if (!visible.ok) return visible.failure;
    const { place: folder, rules } = visible.value;
    let entries: Dirent[];
    try {
      entries = await readdir(folder.real, { withFileTypes: true });
    } catch (error) {
      return cannotList(folder.shown, error);
    }
    // A folder is read by its name: it could have been replaced by a link since the check.
    if (!(await stillConfined(folder)))
      return refused(`${folder.shown} was replaced while it was read. Try again.`, 'changed');
    const mayBeSeen = (entry: Dirent): boolean =>
      entry.name !== '.git' && !rules.isIgnored(inFolder(folder, entry.name), kindOf(entry));
    return listed(entries.filter(mayBeSeen));
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

function inFolder(folder: ConfinedPath, name: string): string {
  return folder.shown === '.' ? name : `${folder.shown}/${name}`;
}

/** Undefined for a link: it may lead to either. */
function kindOf(entry: Dirent): 'file' | 'folder' | undefined {
  if (entry.isSymbolicLink()) return undefined;
  return entry.isDirectory() ? 'folder' : 'file';
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
