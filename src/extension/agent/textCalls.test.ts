import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isHalfCall, readTextCalls } from './textCalls';

const known = ['read_file', 'write_file'];

function calls(text: string): readonly unknown[] {
  return readTextCalls(text, (name) => known.includes(name)).map((call) => [call.name, call.arguments]);
}

const json = '{"name":"read_file","arguments":{"path":"a.ts"}}';
const call = ['read_file', { path: 'a.ts' }];

describe('a text', () => {
  it.each([
    ['JSON', json],
    ['with blanks', `\n ${json}\n`],
    ['with parameters', '{"name": "read_file", "parameters": {"path": "a.ts"}}'],
    ['as in a request', `{"type":"function","function":${json}}`],
    ['by the word function', '{"function": "read_file", "arguments": {"path": "a.ts"}}'],
    ['with arguments as text', '{"name":"read_file","arguments":"{\\"path\\":\\"a.ts\\"}"}'],
    ['in a list', `[${json}]`],
    ['fenced', '```json\n' + json + '\n```'],
    ['fenced without a language', '```\n' + json + '\n```'],
    ['in a tag', `<tool_call>${json}</tool_call>`],
    ['in a tag that is not closed', `<tool_call>\n${json}\n`],
    ['in a fenced tag', '```xml\n<tool_call>' + json + '</tool_call>\n```'],
    ['in function tags', '<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n</function>'],
    [
      'in function tags within a tag',
      '<tool_call><function=read_file><parameter=path>a.ts</parameter></function></tool_call>',
    ],
    ['behind a mark', `[TOOL_CALLS] [${json}]`],
    ['behind a mark, by name', '[TOOL_CALLS]read_file[ARGS]{"path":"a.ts"}'],
    ['behind another mark', `<|python_tag|>${json}`],
  ])('that is a call, %s, is read as one', (_, text) => {
    expect(calls(text)).toEqual([call]);
  });

  it.each([
    ['in a list', `[${json},${json}]`],
    ['in lines', `${json}\n${json}`],
    ['in lines with semicolons', `${json};\n${json}`],
    ['in fences', '```json\n' + json + '\n```\n\n```json\n' + json + '\n```'],
    ['in tags', `<tool_call>${json}</tool_call>\n<tool_call>${json}</tool_call>`],
    ['in function tags', '<function=read_file><parameter=path>a.ts</parameter></function>'.repeat(2)],
    ['behind marks', '[TOOL_CALLS]read_file{"path":"a.ts"}[TOOL_CALLS]read_file{"path":"a.ts"}'],
  ])('that is several calls, %s, is read as all of them', (_, text) => {
    expect(calls(text)).toEqual([call, call]);
  });

  it('keeps what looks like a border within the arguments', () => {
    const content = '```\n</tool_call>\n</function> "x"\n```';
    const written = JSON.stringify({ name: 'write_file', arguments: { path: 'a', content } });
    for (const text of [written, `<tool_call>${written}</tool_call>`, '```json\n' + written + '\n```']) {
      expect(calls(text)).toEqual([['write_file', { path: 'a', content }]]);
    }
  });

  it.each([
    '',
    'Hello',
    '{}',
    '[]',
    '7',
    '"read_file"',
    '{"name":"read_file"}',
    '{"name":"other","arguments":{}}',
    '{"name":"read_file","arguments":"{broken"}',
    '{"name":"read_file","arguments":{},"arguments2":{}}',
    '{"name":"read_file","arguments":{},"parameters":{}}',
    `${json} {`,
    `${json},`,
    `${json}\n,`,
    `,\n${json}`,
    `<tool_call>${json}</tool_call> Done.`,
    `I call <tool_call>${json}</tool_call>`,
    '<tool_call>{"name":"read_file","argum',
    '<function=read_file><parameter=path>a.t',
    '```json\n' + json,
    '```ts\n' + json + '\n```',
    `[TOOL_CALLS]${json.slice(0, -4)}`,
    `[${json}, {"name":"other","arguments":{}}]`,
  ])('that is anything else is no call: %j', (text) => {
    expect(calls(text)).toEqual([]);
  });

  it('is no call when there is prose around one, whatever it is', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9.,:'()-]{1,12}$/);
    const prose = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
    const form = fc.constantFrom(
      json,
      `[${json}]`,
      '```json\n' + json + '\n```',
      `<tool_call>${json}</tool_call>`,
      '<function=read_file><parameter=path>a.ts</parameter></function>',
      `[TOOL_CALLS][${json}]`,
    );
    const border = fc.constantFrom(' ', '\n', '\n\n');
    fc.assert(
      fc.property(prose, border, form, fc.option(prose), fc.boolean(), (words, gap, written, more, first) => {
        const before = first ? `${words}${gap}` : '';
        const after = first ? (more === null ? '' : `${gap}${more}`) : `${gap}${words}`;
        expect(calls(`${before}${written}${after}`)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is judged quickly, however it is made', () => {
    const long = 100_000;
    for (const text of [
      '```json\n' + ' '.repeat(long),
      '<function=read_file>' + '<parameter=a>b</parameter>'.repeat(long / 50) + 'x',
      '[TOOL_CALLS]a' + '{}'.repeat(long),
      '<tool_call>' + '</tool_call>'.repeat(200),
      '{"name"' + '\n'.repeat(long),
    ]) {
      expect(calls(text)).toEqual([]);
    }
  });
});

describe('a text that was cut off', () => {
  it.each([
    '{"name": "write_file", "arguments": {"content": "expo',
    '```json\n{"name": "write_file", "arg',
    '<tool_call>\n{"name": "write_file"',
    'First:\n<function=write_file><parameter=path>a',
    '[TOOL_CALLS]write_file[ARGS]{"pa',
  ])('stands in the middle of a call: %j', (text) => {
    expect(isHalfCall(text, known)).toBe(true);
  });

  it.each([
    'The function write_file takes',
    '{"name": "other", "arguments": {"a',
    '{"title": "write_file',
    'A <tool_call> is a tag that',
    `<tool_call>${json}</tool_call>`,
  ])('does not: %j', (text) => {
    expect(isHalfCall(text, known)).toBe(false);
  });
});
