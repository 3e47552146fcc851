import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { contextLengthSetting, keepAliveSetting, namesSetting, stallSetting, textSetting } from './settingValues';

const manifestSchema = z.object({
  contributes: z.object({
    configuration: z.object({
      properties: z.record(
        z.string(),
        z.object({
          default: z.unknown(),
          minimum: z.number().optional(),
          maximum: z.number().optional(),
          pattern: z.string().optional(),
        }),
      ),
    }),
  }),
});

async function described(name: string): Promise<{
  readonly default: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly pattern?: string | undefined;
}> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  const { properties } = manifestSchema.parse(JSON.parse(text)).contributes.configuration;
  const found = properties[`holdfast.ollama.${name}`];
  if (found === undefined) throw new Error(`the manifest has no ${name}`);
  return found;
}

describe('what stands in a settings file', () => {
  it.each([undefined, null, 11434, true, {}, [], ''])('is no text when it is %j', (value) => {
    expect(textSetting(value)).toBe('');
  });

  it('is text without spaces around it', () => {
    expect(textSetting(' host:1 ')).toBe('host:1');
  });

  it.each([
    ['10m', '10m'],
    [' 1h30m ', '1h30m'],
    [300, '300'],
    ['300', '300'],
    [-1, '-1'],
    ['-1', '-1'],
    ['for ever', 'for ever'],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
    [{}, undefined],
    [Number.NaN, undefined],
  ])('keeps a model in memory: %j is read as %j', (value, told) => {
    expect(keepAliveSetting(value)).toBe(told);
  });

  it('is marked there where it is no length of time', async () => {
    const pattern = new RegExp((await described('keepAlive')).pattern ?? '^never$');
    for (const good of ['', '10m', '1h30m', '-1m', '300', '-1', '1.5h', '500ms']) expect(good).toMatch(pattern);
    for (const bad of ['for ever', '10 minutes', 'm', '5d', '1.5']) expect(bad).not.toMatch(pattern);
  });

  it('is a window within the limits of the manifest', async () => {
    const { default: usual, minimum = 0, maximum = 0 } = await described('contextLength');
    expect(contextLengthSetting(8_192)).toBe(8_192);
    expect(contextLengthSetting(minimum)).toBe(minimum);
    expect(contextLengthSetting(1e300)).toBe(maximum);
    for (const value of [undefined, null, '8192', 8_192.5, minimum - 1, -1, Number.NaN, {}])
      expect(contextLengthSetting(value)).toBe(usual);
  });

  it('is a silence within the limits of the manifest, and of a timer', async () => {
    const { default: usual, maximum = 0 } = await described('stallTimeout');
    expect(stallSetting(usual)).toBeUndefined();
    expect(stallSetting(60)).toBe(60_000);
    expect(stallSetting(1e9)).toBe(maximum * 1_000);
    for (const value of [undefined, null, '60', -1, Number.NaN, {}]) expect(stallSetting(value)).toBeUndefined();
  });

  it('takes names as a list of words, each once, and nothing else for a list', () => {
    expect(namesSetting([' a ', 'b', 'a', 7, '', null])).toEqual(['a', 'b']);
    for (const wrong of [undefined, 'a', { 0: 'a' }, 1]) expect(namesSetting(wrong)).toEqual([]);
  });
});
