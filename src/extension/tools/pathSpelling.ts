import * as path from 'node:path';
import { PATH_CHARS } from '../base/limits';

/** Whether `inner` is `outer` or lies in it. Both are absolute. */
export function isWithin(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Why a path as the model wrote it means something else than a plain path; undefined when it is one. */
export function misspelt(written: string): string | undefined {
  if (written.length > PATH_CHARS) return 'The path is too long.';
  if (written.includes('\0')) return 'The path contains a NUL character.';
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(written) || /^file:/i.test(written)) {
    return 'Write a plain path relative to the workspace folder, not a URL.';
  }
  if (/^(?:\\\\|\/\/)/.test(written)) {
    return 'Network and device paths cannot be used. Write a path relative to the workspace folder.';
  }
  // On Windows a colon names a drive-relative path or a second stream of a file.
  if (path.sep === '\\' && written.replace(/^[a-z]:[\\/]/i, '').includes(':')) return 'The path must not contain “:”.';
  return undefined;
}
