import { describe, expect, it } from 'vitest';
import { isModelName } from './modelName';

describe('the name of a model', () => {
  it.each([
    'qwen3',
    'qwen3:8b',
    'qwen2.5-coder:7b-instruct-q4_K_M',
    'someone/their-model:latest',
    'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M',
    'registry.example.org:5000/team/model:1',
    'gpt-oss:20b-cloud',
    `${'m'.repeat(80)}:${'t'.repeat(80)}`,
  ])('may be %s', (name) => expect(isModelName(name)).toBe(true));

  it.each([
    '',
    ' ',
    'two words',
    'qwen3:',
    ':8b',
    '-leading',
    '.hidden',
    '../../etc/passwd',
    'a/b/c/d',
    'a//b',
    'some.one/model',
    'name:tag:more',
    'naïve',
    'https://example.org/x/y',
    'm\n',
    'm'.repeat(81),
    'a'.repeat(100_000),
  ])('cannot be %s', (name) => expect(isModelName(name)).toBe(false));
});
