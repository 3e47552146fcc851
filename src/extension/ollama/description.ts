import type { ModelAbilities, ModelInfo } from '../../protocol/status';
import { amountIn, isJsonObject, stringIn } from './json';

/**
 * The models in an answer of `/api/tags`, newest first as the server sends them. Entries without a name are left out.
 * Undefined when it is no such answer.
 */
export function readModels(answer: unknown): ModelInfo[] | undefined {
  if (!isJsonObject(answer) || !('models' in answer)) return undefined;
  const models = answer['models'] ?? [];
  if (!Array.isArray(models)) return undefined;
  return models.flatMap((entry: unknown) => readModel(entry) ?? []);
}

function readModel(entry: unknown): ModelInfo | undefined {
  if (!isJsonObject(entry)) return undefined;
  const name = stringIn(entry['name']) ?? stringIn(entry['model']) ?? '';
  if (name === '') return undefined;
  const details = isJsonObject(entry['details']) ? entry['details'] : {};
  const size = amountIn(entry['size']);
  const parameterSize = stringIn(details['parameter_size']) ?? '';
  const remoteHost = stringIn(entry['remote_host']) ?? '';
  return {
    name,
    ...(size === undefined ? {} : { size }),
    ...(parameterSize === '' ? {} : { parameterSize }),
    ...(remoteHost === '' ? {} : { remoteHost }),
  };
}

/** What an answer of `/api/show` says a model can do. Old servers name no capabilities: unknown, not none. */
export function readAbilities(answer: unknown): ModelAbilities {
  if (!isJsonObject(answer)) return {};
  const trainedContext = readTrainedContext(answer['model_info']);
  const capabilities = answer['capabilities'];
  return {
    ...(Array.isArray(capabilities)
      ? {
          tools: capabilities.includes('tools'),
          thinking: capabilities.includes('thinking'),
          vision: capabilities.includes('vision'),
        }
      : {}),
    ...(trainedContext === undefined ? {} : { trainedContext }),
  };
}

function readTrainedContext(modelInfo: unknown): number | undefined {
  if (!isJsonObject(modelInfo)) return undefined;
  const architecture = stringIn(modelInfo['general.architecture']);
  return architecture === undefined ? undefined : amountIn(modelInfo[`${architecture}.context_length`]);
}
