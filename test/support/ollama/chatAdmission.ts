import { readChatRequest, refuse } from './chatRequest';
import type { ChatRequest, Refusal } from './chatRequest';
import { parseGoDuration } from './goDuration';
import type { JsonObject } from './goJson';
import { DEFAULT_KEEP_ALIVE_MS } from './loadedModels';
import { fullModelName, isModelName } from './modelSet';
import type { InstalledModel, ModelSet } from './modelSet';
import { versionIsAtLeast } from './serverVersion';

/** A chat request that the server will run. */
export interface AdmittedChat {
  readonly ok: true;
  readonly request: ChatRequest;
  readonly model: InstalledModel;
  /** Milliseconds; negative means forever, 0 means unload afterwards. */
  readonly keepAliveMs: number;
  /** The window that the request asks for in tokens; undefined if it does not say. */
  readonly numCtx: number | undefined;
  /** Empty messages with `keep_alive` 0. */
  readonly isUnload: boolean;
}

/** Checks a chat request in the order in which the server does, with its status codes and texts. */
export function admitChat(bodyText: string, models: ModelSet, version: string): AdmittedChat | Refusal {
  const read = readChatRequest(bodyText, version);
  if (!read.ok) return read;
  const { request } = read;

  const keepAliveMs = readKeepAlive(request.keep_alive);
  if (keepAliveMs === undefined) return refuse(400, `time: invalid duration ${JSON.stringify(request.keep_alive)}`);

  const found = findModel(request.model, models);
  if (!found.ok) return found;
  const { model } = found;

  const isUnload = request.messages.length === 0 && keepAliveMs === 0;
  const refusal = isUnload
    ? undefined
    : (findCapabilityRefusal(request, model, version) ?? findOptionRefusal(request.options));
  if (refusal) return refusal;

  const wanted = request.options?.['num_ctx'];
  const numCtx = typeof wanted === 'number' ? Math.trunc(wanted) : model.numCtx;
  return { ok: true, request, model, keepAliveMs, numCtx, isUnload };
}

/** Looks up the model of a request; refuses an empty, impossible or unknown name. */
export function findModel(
  name: string | undefined,
  models: ModelSet,
): { readonly ok: true; readonly model: InstalledModel } | Refusal {
  if (name === undefined || name === '') return refuse(400, 'model is required');
  if (!isModelName(name)) return refuse(400, 'invalid model name');
  const model = models.find(name);
  return model ? { ok: true, model } : refuse(404, `model '${name}' not found`);
}

/** A time to live in milliseconds; undefined for a text that Go would refuse. */
export function readKeepAlive(value: number | string | undefined): number | undefined {
  if (value === undefined) return DEFAULT_KEEP_ALIVE_MS;
  return typeof value === 'number' ? value * 1000 : parseGoDuration(value);
}

function findCapabilityRefusal(request: ChatRequest, model: InstalledModel, version: string): Refusal | undefined {
  const can = (capability: string): boolean => model.capabilities.includes(capability);
  const name = JSON.stringify(request.model);
  if (request.think && !can('thinking')) return refuse(400, `${name} does not support thinking`);
  if (typeof request.think === 'string' && model.family !== 'gptoss' && !versionIsAtLeast(version, '0.17.7')) {
    return refuse(400, `think value ${JSON.stringify(request.think)} is not supported for this model`);
  }
  if (!can('completion')) return refuse(400, `${name} does not support chat`);
  if (request.tools?.length && !can('tools')) return refuse(400, `${fullModelName(model.name)} does not support tools`);
  return undefined;
}

const OPTION_TYPES: Readonly<Record<string, 'integer' | 'float32' | 'boolean' | 'array'>> = {
  num_ctx: 'integer',
  num_predict: 'integer',
  num_keep: 'integer',
  num_gpu: 'integer',
  num_thread: 'integer',
  num_batch: 'integer',
  main_gpu: 'integer',
  seed: 'integer',
  top_k: 'integer',
  repeat_last_n: 'integer',
  temperature: 'float32',
  top_p: 'float32',
  min_p: 'float32',
  typical_p: 'float32',
  repeat_penalty: 'float32',
  presence_penalty: 'float32',
  frequency_penalty: 'float32',
  use_mmap: 'boolean',
  stop: 'array',
};

function findOptionRefusal(options: JsonObject | undefined): Refusal | undefined {
  for (const [key, value] of Object.entries(options ?? {})) {
    const type = OPTION_TYPES[key];
    // Unknown options are ignored with a warning in the server's log.
    if (type === undefined || value === null || value === undefined || fits(value, type)) continue;
    return refuse(500, `option "${key}" must be of type ${type}`);
  }
  return undefined;
}

function fits(value: unknown, type: 'integer' | 'float32' | 'boolean' | 'array'): boolean {
  if (type === 'array') return Array.isArray(value);
  return typeof value === (type === 'boolean' ? 'boolean' : 'number');
}
