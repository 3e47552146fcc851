import type { ModelInfo } from '../../protocol/status';
import type { ThinkLevel } from './modelClient';
import { isVersionAtLeast } from './serverVersion';

/** What the person wants of a model's thinking. `default`: thinking where the model can. */
export type ThinkSetting = 'default' | 'on' | 'off' | ThinkLevel;

/** What has to be known of a model: whether it thinks, and whether it is of the family that thinks at levels. */
export type ThinkingModel = Pick<ModelInfo, 'name' | 'thinking' | 'family'>;

/** Servers that take levels for every model that thinks, and servers that know the highest one. */
const LEVELS_SINCE = '0.17.7';
const MAX_SINCE = '0.22.0';

/**
 * The `think` value to send, or undefined for none. A model that is not known to think is never asked to: the server
 * refuses the whole request then. What a server or family cannot do becomes the nearest that it can.
 * @param version of the server; empty when it does not say
 */
export function thinkValue(
  setting: ThinkSetting,
  model: ThinkingModel,
  version: string,
): boolean | ThinkLevel | undefined {
  if (model.thinking !== true) return undefined;
  switch (setting) {
    // Said even where it is the server's default: older servers have another.
    case 'default':
    case 'on':
      return true;
    case 'off':
      // This family cannot be told not to think.
      return isOfLevels(model) ? 'low' : false;
    case 'low':
    case 'medium':
    case 'high':
      return hasLevels(model, version) ? setting : true;
    case 'max':
      if (!hasLevels(model, version)) return true;
      return isVersionAtLeast(version, MAX_SINCE) ? 'max' : 'high';
  }
}

function hasLevels(model: ThinkingModel, version: string): boolean {
  return isOfLevels(model) || isVersionAtLeast(version, LEVELS_SINCE);
}

/** Models in the cloud name no family, so that the name has to do. */
function isOfLevels(model: ThinkingModel): boolean {
  return /^gpt-?oss/i.test(model.family ?? '') || /(?:^|\/)gpt-oss(?![a-z])/i.test(model.name);
}
