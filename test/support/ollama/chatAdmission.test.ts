import { describe, expect, it } from 'vitest';
import { admitChat } from './chatAdmission';
import type { JsonObject } from './goJson';
import { ModelSet } from './modelSet';

const MODELS = new ModelSet([
  'llama3.2',
  { name: 'qwen3', capabilities: ['completion', 'tools', 'thinking'] },
  { name: 'embed', capabilities: ['embedding'] },
]);

function refusalOf(fields: JsonObject | string, version = '0.32.15'): string | undefined {
  const body = typeof fields === 'string' ? fields : JSON.stringify({ model: 'llama3.2', ...fields });
  const result = admitChat(body, MODELS, version);
  return result.ok ? undefined : `${result.status} ${result.error}`;
}

function message(fields: JsonObject): JsonObject {
  return { messages: [{ role: 'user', content: 'x', ...fields }] };
}

describe('what is refused', () => {
  it.each<[JsonObject | string, string]>([
    ['', '400 missing request body'],
    ['hello', `400 invalid character 'h' looking for beginning of value`],
    ['{"model":', '400 unexpected EOF'],
    [{ model: '' }, '400 model is required'],
    [{ model: 'a b' }, '400 invalid model name'],
    [{ model: 'nope:7b' }, `404 model 'nope:7b' not found`],
    [{ model: 'embed' }, '400 "embed" does not support chat'],
    [{ model: 7 }, '400 json: cannot unmarshal number into Go struct field ChatRequest.model of type string'],
    [{ stream: 'yes' }, '400 json: cannot unmarshal string into Go struct field ChatRequest.stream of type bool'],
    [
      message({ content: [{ type: 'text', text: 'x' }] }),
      '400 json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string',
    ],
    [
      message({ tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }),
      '400 json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type api.ToolCallFunctionArguments',
    ],
    [message({ images: ['data:image/png;base64,AA=='] }), '400 illegal base64 data at input byte 4'],
    [{ think: 'lots' }, '400 invalid think value: "lots" (must be "high", "medium", "low", "max", true, or false)'],
    [{ think: 1 }, '400 think must be a boolean or string ("high", "medium", "low", "max", true, or false)'],
    [{ think: 'low' }, '400 "llama3.2" does not support thinking'],
    [{ keep_alive: 'soon' }, '400 time: invalid duration "soon"'],
    [{ options: { num_ctx: '8192' } }, '500 option "num_ctx" must be of type integer'],
    [{ options: { stop: 'x' } }, '500 option "stop" must be of type array'],
  ])('%j', (fields, expected) => {
    expect(refusalOf(fields)).toBe(expected);
  });

  it('levels of thinking, on servers that know them for one family only', () => {
    const fields = { model: 'qwen3', think: 'low' };
    expect(refusalOf(fields, '0.17.6')).toBe('400 think value "low" is not supported for this model');
    expect(refusalOf(fields, '0.17.7')).toBeUndefined();
  });
});

describe('what is admitted', () => {
  it.each<[string, JsonObject]>([
    ['a content of null', message({ content: null })],
    ['think: false on any model', { think: false }],
    ['an empty list of tools', { tools: [] }],
    ['an unknown option', { options: { magic: 'x' } }],
    ['an unknown key', { surprise: true }],
    ['a name in other letters', { model: 'LLAMA3.2:latest' }],
    ['a name with its registry', { model: 'registry.ollama.ai/library/llama3.2' }],
  ])('%s', (_case, fields) => {
    expect(refusalOf(fields)).toBeUndefined();
  });

  it.each<[JsonObject, number]>([
    [{}, 300_000],
    [{ keep_alive: 60 }, 60_000],
    [{ keep_alive: '1h30m' }, 5_400_000],
    [{ keep_alive: '-1m' }, -60_000],
    [{ keep_alive: '0' }, 0],
  ])('%j as a time to live', (fields, expected) => {
    const result = admitChat(JSON.stringify({ model: 'llama3.2', ...fields }), MODELS, '0.32.15');
    expect(result).toMatchObject({ ok: true, keepAliveMs: expected });
  });
});
