import type { LoadedModel, ModelAbilities, ModelInfo } from '../../protocol/status';
import { amountIn, isJsonObject, stringIn } from './json';

/** A model of the list, with what names its very content: another digest is another model. */
export interface ListedModel {
  readonly info: ModelInfo;
  readonly digest: string;
}

/** What is said of a model beside its name. */
export type ModelDescription = ModelAbilities & Pick<ModelInfo, 'chat'>;

/**
 * The models in an answer of `/api/tags`, newest first as the server sends them. Entries without a name are left out.
 * Undefined when it is no such answer.
 */
export function readModels(answer: unknown): ListedModel[] | undefined {
  return entriesOf(answer)?.flatMap((entry) => {
    const name = nameIn(entry);
    if (!isJsonObject(entry) || name === undefined) return [];
    const details = isJsonObject(entry['details']) ? entry['details'] : {};
    const size = amountIn(entry['size']);
    const parameterSize = stringIn(details['parameter_size']) ?? '';
    const family = stringIn(details['family']) ?? '';
    const remoteHost = stringIn(entry['remote_host']) ?? '';
    const info: ModelInfo = {
      name,
      ...(size === undefined ? {} : { size }),
      ...(parameterSize === '' ? {} : { parameterSize }),
      ...(family === '' ? {} : { family }),
      ...(remoteHost === '' ? {} : { remoteHost }),
      ...described(entry['capabilities'], amountIn(details['context_length'])),
    };
    return [{ info, digest: stringIn(entry['digest']) ?? '' }];
  });
}

/** What an answer of `/api/show` says of a model; undefined when it is no such answer. */
export function readDescription(answer: unknown): ModelDescription | undefined {
  if (!isJsonObject(answer)) return undefined;
  return described(answer['capabilities'], readTrainedContext(answer['model_info']));
}

/** What an answer of `/api/show` says a model can do. */
export function readAbilities(answer: unknown): ModelAbilities | undefined {
  const description = readDescription(answer);
  if (description === undefined) return undefined;
  const { chat: _, ...abilities } = description;
  return abilities;
}

/**
 * The models in an answer of `/api/ps`, without those that are only on their way into memory: they have no window yet.
 * Undefined when it is no such answer.
 */
export function readLoaded(answer: unknown): LoadedModel[] | undefined {
  return entriesOf(answer)?.flatMap((entry) => {
    const name = nameIn(entry);
    if (!isJsonObject(entry) || name === undefined || entry['context_length'] === 0) return [];
    const contextLength = amountIn(entry['context_length']);
    const size = amountIn(entry['size']);
    const sizeVram = amountIn(entry['size_vram']);
    return [
      {
        name,
        ...(contextLength === undefined ? {} : { contextLength }),
        ...(size === undefined ? {} : { size }),
        ...(sizeVram === undefined ? {} : { sizeVram }),
      },
    ];
  });
}

/** Old servers name no capabilities: unknown, not none. */
function described(capabilities: unknown, trainedContext: number | undefined): ModelDescription {
  return {
    ...(Array.isArray(capabilities)
      ? {
          tools: capabilities.includes('tools'),
          thinking: capabilities.includes('thinking'),
          vision: capabilities.includes('vision'),
          chat: capabilities.includes('completion'),
        }
      : {}),
    ...(trainedContext === undefined || trainedContext === 0 ? {} : { trainedContext }),
  };
}

function readTrainedContext(modelInfo: unknown): number | undefined {
  if (!isJsonObject(modelInfo)) return undefined;
  const architecture = stringIn(modelInfo['general.architecture']);
  return architecture === undefined ? undefined : amountIn(modelInfo[`${architecture}.context_length`]);
}

function entriesOf(answer: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(answer) || !('models' in answer)) return undefined;
  const models = answer['models'] ?? [];
  return Array.isArray(models) ? models : undefined;
}

function nameIn(entry: unknown): string | undefined {
  if (!isJsonObject(entry)) return undefined;
  const name = stringIn(entry['name']) || stringIn(entry['model']);
  return name === '' ? undefined : name;
}
