/** What the server takes away from the name of a model of its own registry. */
const DEFAULTS = ['registry.ollama.ai/', 'library/'];

/** Whether two names mean one model: the tag `latest` and the server's own registry may be left out, case is nothing. */
export function isSameModel(one: string, other: string): boolean {
  return modelKey(one) === modelKey(other);
}

/** One text for all names of a model. */
export function modelKey(name: string): string {
  let short = name.trim().toLowerCase();
  for (const prefix of DEFAULTS) if (short.startsWith(prefix)) short = short.slice(prefix.length);
  const last = short.slice(short.lastIndexOf('/') + 1);
  return last.includes(':') ? short : `${short}:latest`;
}
