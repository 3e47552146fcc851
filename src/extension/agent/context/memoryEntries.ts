import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { CONTEXT_FILE_BYTES } from '../../base/limits';
import { failed, succeeded, type Result } from '../../base/result';
import { isFileAt } from '../../tools/confine';
import { readSlice } from '../../tools/fileSlice';
import { makeFile } from './makeFile';
import { MEMORY_FILE, type ContextPlace } from './places';

/** What a file of memory begins with when it is made. */
export const MEMORY_HEADING = '# Memory\n';

/**
 * Adds one entry, a single paragraph, to the memory of a place, as an item of a list at its end. The file is made where it is
 * missing; what stands in it stays as it is. Never rejects; the failure is a sentence.
 */
export async function appendMemoryEntry(place: ContextPlace, text: string): Promise<Result<void, string>> {
  const made = await makeFile(place, MEMORY_FILE, MEMORY_HEADING);
  if (!made.ok) return made;
  let handle: FileHandle | undefined;
  try {
    // At its end wherever that is by then: two windows may remember something at once.
    const flags = constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    handle = await open(made.value, flags);
    const stat = await handle.stat();
    if (!stat.isFile() || !(await isFileAt(handle, { real: made.value }))) {
      return failed(`${made.value} is not the file that it was. Nothing was remembered.`);
    }
    const before = await readSlice(handle, 0, CONTEXT_FILE_BYTES + 1, new AbortController().signal);
    const entry = Buffer.from(entryFor(before, text));
    if (before.length + entry.length > CONTEXT_FILE_BYTES) {
      return failed(`${made.value} is full: it may have ${CONTEXT_FILE_BYTES} bytes. Nothing was remembered.`);
    }
    if (before.includes(0)) return failed(`${made.value} is no text in UTF-8. Nothing was remembered.`);
    return await append(handle, before.length, entry, made.value);
  } catch (error) {
    return failed(`${made.value} cannot be written (${codeOf(error)}). Nothing was remembered.`);
  } finally {
    await handle?.close().catch(() => undefined);
  }
}

/** In one write, and taken back when only a part of it fits on the disk. */
async function append(handle: FileHandle, length: number, entry: Buffer, file: string): Promise<Result<void, string>> {
  let written = 0;
  let why = 'ENOSPC';
  try {
    written = (await handle.write(entry)).bytesWritten;
    if (written === entry.length) {
      await handle.sync();
      return succeeded(undefined);
    }
  } catch (error) {
    why = codeOf(error);
  }
  // Only where nobody else has added something since.
  if (written > 0 && (await handle.stat()).size === length + written) await handle.truncate(length);
  return failed(`${file} cannot be written (${why}). Nothing was remembered.`);
}

/** The item with the line ends of the file, on a line of its own, parted from what is no list. */
function entryFor(before: Buffer, text: string): string {
  const content = before.toString('utf8');
  const end = /\r\n/.test(content) && !/(?<!\r)\n/.test(content) ? '\r\n' : '\n';
  const item = `- ${text}${end}`;
  if (content.trim() === '') return content === '' || content.endsWith('\n') ? item : `${end}${item}`;
  const lastLine = content.trimEnd().split(/\r?\n/).at(-1) ?? '';
  // Indented lines belong to the item before.
  const inList = /^\s*[-*+] |^\s+\S/.test(lastLine);
  const gap = !content.endsWith('\n') ? end : '';
  const blank = inList || /\n\r?\n$/.test(content) ? '' : end;
  return `${gap}${blank}${item}`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
