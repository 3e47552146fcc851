import * as path from 'node:path';
import type { Message } from '../../../protocol/message';
import type { ToolPart } from '../../../protocol/part';
import { TOUCHED_FOLDERS } from '../../base/limits';
import { coerceArguments } from '../../tools/coerceArguments';

/** How every tool that works at a path calls it. */
const PATH_ARGUMENT = { properties: { path: { type: 'string' } } };

/**
 * Folders inside the root that calls of the conversation worked in, and the folders around those, without the root: the
 * ones touched last first, `TOUCHED_FOLDERS` at most, relative to the root. `roots` are the paths under which the root
 * may be named. Whether they exist is for others to find out.
 */
export function touchedFolders(messages: readonly Message[], roots: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const message of messages.toReversed()) {
    for (const part of message.parts.toReversed()) {
      if (part.type !== 'tool' || part.state !== 'done') continue;
      for (const folder of foldersOf(part, roots)) {
        if (folders.size >= TOUCHED_FOLDERS) return [...folders];
        folders.add(folder);
      }
    }
  }
  return [...folders];
}

/** Outermost first. A file's own path is among them: that it is no folder shows when something is looked for in it. */
function foldersOf(part: ToolPart, roots: readonly string[]): readonly string[] {
  const written = coerceArguments(part.arguments, PATH_ARGUMENT)['path'];
  if (typeof written !== 'string' || written.includes('\0')) return [];
  const inside = roots.map((root) => path.relative(root, path.resolve(root, written))).find(isInside);
  const steps = inside === undefined ? [] : inside.split(path.sep);
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

function isInside(relative: string): boolean {
  return relative !== '' && relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
