import { validateHeaderName, validateHeaderValue } from 'node:http';
import { OURS } from './extraHeaders';

/** What the library sets itself, whatever it is given. */
const LIBRARYS: ReadonlySet<string> = new Set(['accept', 'user-agent']);

/** Why a header of this name cannot be sent, in a sentence; undefined: it can. */
export function headerNameFault(name: string): string | undefined {
  if (isRefused(() => validateHeaderName(name))) return 'A name is made of letters, digits and hyphens.';
  const key = name.toLowerCase();
  return OURS.has(key) || LIBRARYS.has(key) ? `The header ${name} cannot be set.` : undefined;
}

/** Why the value cannot be sent, in a sentence that does not hold it; undefined: it can. */
export function headerValueFault(value: string): string | undefined {
  const refused = isRefused(() => validateHeaderValue('X', value));
  return refused ? 'The value holds a character that cannot be sent, such as a line break.' : undefined;
}

function isRefused(validate: () => void): boolean {
  try {
    validate();
    return false;
  } catch {
    return true;
  }
}
