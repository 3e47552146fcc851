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

/** Longest name that is looked at at all: host, namespace, model and tag at their limits. */
const NAME_CHARS = 600;

const HOST = /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,349}$/;
const NAMESPACE = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,79}$/;
const MODEL = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}$/;
const TAG = MODEL;

/** Whether a server of models would take `name` for one: `[[host/]namespace/]model[:tag]`, by its own rules. */
export function isModelName(name: string): boolean {
  if (name.length > NAME_CHARS) return false;
  const [rest, tag] = cutTag(name);
  const steps = rest.split('/');
  const [model, namespace, host, ...more] = steps.toReversed();
  return (
    more.length === 0 &&
    model !== undefined &&
    MODEL.test(model) &&
    (tag === undefined || TAG.test(tag)) &&
    (namespace === undefined || NAMESPACE.test(namespace)) &&
    (host === undefined || HOST.test(host))
  );
}

/** A colon before the last slash belongs to the port of a host. */
function cutTag(name: string): readonly [name: string, tag: string | undefined] {
  const at = name.lastIndexOf(':');
  return at < 0 || at < name.lastIndexOf('/') ? [name, undefined] : [name.slice(0, at), name.slice(at + 1)];
}
