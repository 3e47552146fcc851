import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { failed, succeeded, type Result } from '../../base/result';
import type { ContextPlace } from './places';
import { locate } from './readText';

/**
 * The path of a file of a place for a person to edit; made with `content` when it is missing. A workspace folder whose
 * links lead elsewhere gets none. The failure is a sentence for the person.
 */
export async function makeFile(place: ContextPlace, file: string, content: string): Promise<Result<string, string>> {
  const folder = path.join(place.base, place.folder);
  try {
    await mkdir(folder, { recursive: true });
    const inside = await locate(place, '');
    if (inside.kind !== 'found') return failed(`${folder} cannot be used: ${refusal(inside)}.`);
    const target = path.join(inside.at.real, file);
    // Never over what is there, and through no link: one that leads nowhere counts as there.
    await writeFile(target, content, { flag: 'wx' });
    return succeeded(target);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return failed(`${path.join(folder, file)} cannot be made: ${codeOf(error)}.`);
  }
  const there = await locate(place, file);
  return there.kind === 'found'
    ? succeeded(there.at.real)
    : failed(`${path.join(folder, file)} cannot be opened: ${refusal(there)}.`);
}

function refusal(located: Exclude<Awaited<ReturnType<typeof locate>>, { readonly kind: 'found' }>): string {
  return located.kind === 'absent' ? 'it leads nowhere' : located.why;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
