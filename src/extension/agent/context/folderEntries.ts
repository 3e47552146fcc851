import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { stillConfined } from '../../tools/confine';
import type { ContextPlace } from './places';
import { locate } from './readText';

/** What is in the folder of a place, as the system gives it; empty when it cannot be read or leads elsewhere. */
export async function folderEntries(place: ContextPlace): Promise<readonly Dirent[]> {
  const found = await locate(place, '');
  if (found.kind !== 'found') return [];
  try {
    const entries = await readdir(found.at.real, { withFileTypes: true });
    // A folder is read by its name: it could have been replaced by a link since the check.
    return (await stillConfined(found.at)) ? entries : [];
  } catch {
    return [];
  }
}
