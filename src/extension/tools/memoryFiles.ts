import type { Result } from '../base/result';

/** The files in which what is remembered stands (`docs/context.md`). */
export interface MemoryFiles {
  /** Absolute path of the file; undefined: there is no such place in this window. */
  path(scope: 'folder' | 'everywhere'): string | undefined;
  /** Adds one entry, and makes the file where it is missing. The failure is a sentence. */
  append(scope: 'folder' | 'everywhere', text: string): Promise<Result<void, string>>;
}
