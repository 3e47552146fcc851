import { describe, expect, it } from 'vitest';
import { thinkValue, type ThinkingModel, type ThinkSetting } from './thinkLevel';

const qwen: ThinkingModel = { name: 'qwen3:8b', family: 'qwen3', thinking: true };
const oss: ThinkingModel = { name: 'gpt-oss:20b', family: 'gptoss', thinking: true };
const cloud: ThinkingModel = { name: 'gpt-oss:120b-cloud', thinking: true };

describe('what is said of thinking', () => {
  it.each<[ThinkSetting, ThinkingModel, string, ReturnType<typeof thinkValue>]>([
    ['default', qwen, '0.32.15', true],
    ['on', qwen, '0.32.15', true],
    ['off', qwen, '0.32.15', false],
    ['low', qwen, '0.17.6', true],
    ['low', qwen, '0.17.7', 'low'],
    ['high', qwen, '0.17.10-rc1', 'high'],
    ['max', qwen, '0.17.6', true],
    ['max', qwen, '0.21.9', 'high'],
    ['max', qwen, '0.22.0', 'max'],
    ['max', qwen, '0.0.0', 'max'],
    ['max', qwen, '', true],
    // Only this family has levels on every server, and it cannot be told not to think.
    ['default', oss, '0.12.0', true],
    ['off', oss, '0.32.15', 'low'],
    ['medium', oss, '0.12.0', 'medium'],
    ['medium', oss, '', 'medium'],
    ['max', oss, '0.12.0', 'high'],
    ['max', oss, '0.22.0', 'max'],
    ['off', cloud, '0.32.15', 'low'],
  ])('when “%s” is set for %o on server “%s” is %s', (setting, model, version, expected) => {
    expect(thinkValue(setting, model, version)).toBe(expected);
  });

  it.each<ThinkSetting>(['default', 'on', 'off', 'low', 'medium', 'high', 'max'])(
    'is nothing for a model that does not think, or may not, when “%s” is set',
    (setting) => {
      expect(thinkValue(setting, { name: 'llama3.2', thinking: false }, '0.32.15')).toBeUndefined();
      expect(thinkValue(setting, { name: 'llama3.2' }, '0.32.15')).toBeUndefined();
    },
  );
});
