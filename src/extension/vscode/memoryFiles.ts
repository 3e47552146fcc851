import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as path from 'node:path';
import { makeFile } from '../agent/context/makeFile';
import { MEMORY_FILE, memoryPlaces, type ContextPlace } from '../agent/context/places';
import { errorCode } from '../base/errorCode';
import { failed, succeeded, type Result } from '../base/result';
import type { MemoryFiles } from '../tools/memoryFiles';
import { unsavedEditors } from './unsavedEditors';

/** Where what is remembered stands. `root`: path of the workspace folder; undefined: there is none. */
export function memoryFiles(home: string | undefined, root: string | undefined): MemoryFiles {
  const places = memoryPlaces({ ...(home === undefined ? {} : { home }), ...(root === undefined ? {} : { root }) });
  const placeOf = (scope: 'folder' | 'everywhere'): ContextPlace | undefined =>
    places.find((place) => place.scope === (scope === 'folder' ? 'folder' : 'global'));
  return {
    path: (scope) => {
      const place = placeOf(scope);
      return place === undefined ? undefined : path.join(place.base, place.folder, MEMORY_FILE);
    },
    append: async (scope, text) => {
      const place = placeOf(scope);
      if (place === undefined) return failed('There is no place for that in this window.');
      const made = await makeFile(place, MEMORY_FILE, '# Memory\n');
      return made.ok ? append(made.value, entryOf(text)) : failed(made.failure);
    },
  };
}

/** One point of a list, whatever lines it has. */
function entryOf(text: string): string {
  return `- ${text.trim().replaceAll(/\r\n?|\n/g, '\n  ')}\n`;
}

async function append(file: string, entry: string): Promise<Result<void, string>> {
  const text = unsavedEditors.text(file);
  if (text !== undefined) {
    const after = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${entry}`;
    const put = await unsavedEditors.replace(file, text, after);
    return put ? succeeded(undefined) : failed(`${file} was changed in the editor meanwhile. Nothing was written.`);
  }
  try {
    // The path is real: what is a link by now is another file than the one that was found.
    const handle = await open(file, constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0));
    try {
      const { size } = await handle.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await handle.read(last, 0, 1, size - 1);
      const startsLine = size === 0 || last.toString() === '\n';
      await handle.appendFile(startsLine ? entry : `\n${entry}`);
    } finally {
      await handle.close();
    }
    return succeeded(undefined);
  } catch (error) {
    return failed(`${file} cannot be written (${errorCode(error)}).`);
  }
}
