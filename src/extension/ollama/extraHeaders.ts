import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Headers that the person gives for a server behind a gate, such as `Authorization`. Read anew for each request. */
export type ExtraHeaders = () => Promise<Readonly<Record<string, string>>>;

/** Why the extra headers cannot be sent: a sentence that names the header, never its value. */
export class UnsendableHeaders extends Error {}

/** What belongs to the connection or to the body, and would break the request if it were set from outside. */
const OURS = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The headers by their names in lower case, ready to be sent.
 * @throws UnsendableHeaders when they cannot be read or one of them cannot be written
 */
export async function readExtraHeaders(headers: ExtraHeaders): Promise<Record<string, string>> {
  let given: Readonly<Record<string, string>>;
  try {
    given = await headers();
  } catch {
    // Where secrets are kept, errors may quote them.
    throw new UnsendableHeaders('The extra headers for this server could not be read.');
  }
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase();
    check(() => validateHeaderName(name), `“${name}” cannot be the name of a header.`);
    if (OURS.has(key)) throw new UnsendableHeaders(`The header “${name}” cannot be set.`);
    check(() => validateHeaderValue(name, value), `The value of the header “${name}” cannot be sent.`);
    read[key] = value;
  }
  return read;
}

function check(validate: () => void, words: string): void {
  try {
    validate();
  } catch {
    throw new UnsendableHeaders(words);
  }
}
