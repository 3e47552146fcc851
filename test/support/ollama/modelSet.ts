import { createHash } from 'node:crypto';

/** What a test states about a model; everything but the name has a default. */
export interface ModelSpec {
  /** `name[:tag]`, with the tag `latest` if none is given. */
  readonly name: string;
  /** Default: completion and tools. */
  readonly capabilities?: readonly string[];
  /** Trained context in tokens; default 131072. */
  readonly contextLength?: number;
  /** The Modelfile's own `num_ctx` in tokens; none by default. */
  readonly numCtx?: number;
  /** Bytes; default 2019393189. */
  readonly size?: number;
  /** Bytes of a loaded model that are on the graphics card; default all of them. */
  readonly sizeVram?: number;
  /** Hex without a prefix; default derived from the name. */
  readonly digest?: string;
  /** RFC 3339; default 2026-08-01T10:00:00Z. */
  readonly modifiedAt?: string;
  /** For example `7.6B`; default `3.2B`. */
  readonly parameterSize?: string;
  /** Default `Q4_K_M`. */
  readonly quantization?: string;
  /** The architecture; default `llama`. */
  readonly family?: string;
  /** Marks a stub of a model that runs elsewhere, for example `https://ollama.com:443`. */
  readonly remoteHost?: string;
  /** The remote name of such a stub; default its own name without the tag. */
  readonly remoteModel?: string;
}

/** A model with all its properties; `name` is the short name with its tag. */
export type InstalledModel = Required<Omit<ModelSpec, 'numCtx' | 'remoteHost' | 'remoteModel'>> &
  Pick<ModelSpec, 'numCtx' | 'remoteHost' | 'remoteModel'>;

const REGISTRY = 'registry.ollama.ai';
const NAMESPACE = 'library';
const NAME_PART = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** The models a server has pulled. Tests add and remove them at any time. */
export class ModelSet {
  private readonly byFullName = new Map<string, InstalledModel>();

  constructor(specs: Iterable<ModelSpec | string> = []) {
    for (const spec of specs) this.add(spec);
  }

  /**
   * Adds a model, or replaces the one of the same name.
   * @throws if the name cannot be a model name
   */
  add(spec: ModelSpec | string): InstalledModel {
    const model = installedModel(spec);
    this.byFullName.set(keyOf(model.name), model);
    return model;
  }

  /** Removes a model as if it had been deleted; false if there was none of that name. */
  remove(name: string): boolean {
    return this.byFullName.delete(keyOf(name));
  }

  /** The model that a request means by `name`; the tag may be missing and case does not matter. */
  find(name: string): InstalledModel | undefined {
    return this.byFullName.get(keyOf(name));
  }

  /** All models, the one modified last first; equals keep the order in which they were added. */
  newestFirst(): InstalledModel[] {
    return [...this.byFullName.values()].sort((a, b) => Date.parse(b.modifiedAt) - Date.parse(a.modifiedAt));
  }
}

/** True for a text that the server can take for a model name. */
export function isModelName(name: string): boolean {
  const { path, tag } = split(name);
  const [host, ...rest] = path.length === 3 ? path : ['host', ...path];
  // Only a host may hold a colon, before its port.
  return path.length <= 3 && [host?.replace(/:\d+$/, ''), ...rest, tag].every((part) => NAME_PART.test(part ?? ''));
}

/** The name with registry, namespace and tag, as in the server's capability errors. */
export function fullModelName(name: string): string {
  const { path, tag } = split(name);
  const defaults = [REGISTRY, NAMESPACE].slice(0, Math.max(0, 3 - path.length));
  return `${[...defaults, ...path].join('/')}:${tag}`;
}

function keyOf(name: string): string {
  return fullModelName(name).toLowerCase();
}

function split(name: string): { path: string[]; tag: string } {
  const path = name.split('/');
  const last = path.pop() ?? '';
  const colon = last.indexOf(':');
  if (colon < 0) return { path: [...path, last], tag: 'latest' };
  return { path: [...path, last.slice(0, colon)], tag: last.slice(colon + 1) };
}

/**
 * A model with all that is not stated of it.
 * @throws if the name cannot be a model name
 */
export function installedModel(stated: ModelSpec | string): InstalledModel {
  const spec = typeof stated === 'string' ? { name: stated } : stated;
  if (!isModelName(spec.name)) throw new Error(`"${spec.name}" cannot be the name of a model`);
  const { path, tag } = split(spec.name);
  const name = `${path.join('/')}:${tag}`;
  const size = spec.size ?? (spec.remoteHost === undefined ? 2_019_393_189 : 382);
  return {
    capabilities: ['completion', 'tools'],
    contextLength: 131_072,
    sizeVram: size,
    digest: createHash('sha256').update(name).digest('hex'),
    modifiedAt: '2026-08-01T10:00:00Z',
    parameterSize: '3.2B',
    quantization: 'Q4_K_M',
    family: 'llama',
    ...(spec.remoteHost === undefined ? {} : { remoteModel: path.join('/') }),
    ...spec,
    name,
    size,
  };
}
