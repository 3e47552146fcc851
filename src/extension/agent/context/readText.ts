import { lstat, realpath, type FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { CONTEXT_FILE_BYTES } from '../../base/limits';
import { confine, openConfined, type ConfinedPath } from '../../tools/confine';
import { readSlice } from '../../tools/fileSlice';
import { decodeText } from '../../tools/textFile';
import { confineVisible } from '../../tools/visiblePlace';
import type { ContextPlace } from './places';

/** What came of reading one file. `real` is its path with every link resolved; `why` are a few words for the log. */
export type ReadText =
  | { readonly kind: 'text'; readonly text: string; readonly real: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Reads a text file of a place. Never rejects, never waits for a device or pipe. What lies in a workspace folder is
 * confined to it, and not told when it is hidden from the agent; the person's own folder may hold links to anywhere, as
 * those do who keep such files in a repository.
 */
export async function readText(place: ContextPlace, file: string, signal: AbortSignal): Promise<ReadText> {
  const found = await locate(place, file);
  return found.kind === 'found' ? readFound(found.at, signal) : found;
}

/** Where something of a place really is. */
export type Located =
  { readonly kind: 'found'; readonly at: ConfinedPath } | Exclude<ReadText, { readonly kind: 'text' }>;

/** Finds a file or folder of a place, confined as `readText` says. Never rejects. */
export async function locate(place: ContextPlace, name: string): Promise<Located> {
  const written = path.join(place.folder, name);
  if (place.scope === 'folder') {
    const visible = await confineVisible(place.base, written);
    return visible.ok ? { kind: 'found', at: visible.value.place } : unfound(visible.failure.summary);
  }
  try {
    const real = await realpath(path.join(place.base, written));
    const confined = await confine(path.dirname(real), path.basename(real));
    return confined.ok ? { kind: 'found', at: confined.value } : unfound(confined.failure.summary);
  } catch (error) {
    const code = codeOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'absent' } : { kind: 'refused', why: code };
  }
}

function unfound(why: string): Exclude<Located, { readonly kind: 'found' }> {
  return why === 'not found' || why === 'no folder' ? { kind: 'absent' } : { kind: 'refused', why };
}

async function readFound(file: ConfinedPath, signal: AbortSignal): Promise<ReadText> {
  let handle: FileHandle | undefined;
  try {
    // Asked before opening: opening alone can wait for a pipe's other end or set a device going.
    if (!(await lstat(file.real)).isFile()) return { kind: 'refused', why: 'no regular file' };
    handle = await openConfined(file);
    if (handle === undefined) return { kind: 'refused', why: 'replaced while it was opened' };
    const bytes = await readSlice(handle, 0, CONTEXT_FILE_BYTES + 1, signal);
    if (bytes.length > CONTEXT_FILE_BYTES) return { kind: 'refused', why: `more than ${CONTEXT_FILE_BYTES} bytes` };
    const text = decodeText(bytes);
    return text === undefined ? { kind: 'refused', why: 'binary' } : { kind: 'text', text, real: file.real };
  } catch (error) {
    return { kind: 'refused', why: codeOf(error) };
  } finally {
    await handle?.close().catch(() => undefined);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'cannot be read';
}
