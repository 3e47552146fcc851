import { createHash } from 'node:crypto';

/** SHA-256 (hexadecimal) of a text as decoded, by which it is known again, on the disk as in the editor. */
export function contentHash(text: string): string {
  return createHash('sha256').update(text, 'utf16le').digest('hex');
}
