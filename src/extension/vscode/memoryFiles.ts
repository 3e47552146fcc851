import { realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { appendMemoryEntry } from '../agent/context/memoryEntries';
import { MEMORY_FILE, memoryPlaces, type ContextPlace } from '../agent/context/places';
import { failed } from '../base/result';
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
      return place === undefined ? undefined : fileOf(place);
    },
    append: async (scope, text) => {
      const place = placeOf(scope);
      if (place === undefined) return failed('There is no place for that in this window.');
      // What the person types there and what is added to the file would have to be made one by hand.
      if (await isUnsaved(fileOf(place)))
        return failed(
          'The memory is open in the editor with changes that are not saved: the user has to save it first.',
        );
      return appendMemoryEntry(place, text);
    },
  };
}

function fileOf(place: ContextPlace): string {
  return path.join(place.base, place.folder, MEMORY_FILE);
}

async function isUnsaved(file: string): Promise<boolean> {
  const real = await realpath(file).catch(() => file);
  return unsavedEditors.text(real) !== undefined;
}
