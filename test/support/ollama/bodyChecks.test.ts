import { describe, expect, it } from 'vitest';
import { bodyFaults, faultsOf } from './bodyChecks';
import type { JsonObject } from './goJson';

const system = { role: 'system', content: 'You are a test.' };
const question = { role: 'user', content: 'Why?' };

function call(id: string, args: unknown = {}): JsonObject {
  return { id, function: { name: 'read_file', arguments: args as JsonObject } };
}

function calls(...made: readonly JsonObject[]): JsonObject {
  return { role: 'assistant', content: '', tool_calls: made };
}

function result(id: string, name = 'read_file'): JsonObject {
  return { role: 'tool', content: 'text', tool_name: name, tool_call_id: id };
}

function body(...messages: readonly JsonObject[]): JsonObject {
  return { model: 'm', messages, options: { num_ctx: 4_096 } };
}

describe('the check of a body', () => {
  it('is content with a history whose pairs are whole', () => {
    const whole = body(system, question, calls(call('a'), call('b')), result('a'), result('b'));
    expect(faultsOf(whole, { system: 'You are', question: 'Why?' })).toEqual([]);
    expect(bodyFaults([{ body: whole }, { body: body(system, question) }])).toEqual([]);
  });

  it.each([
    ['a call without its result', body(system, question, calls(call('a'))), 'have no result'],
    ['a result that is missing', body(system, question, calls(call('a')), question), 'have no result'],
    ['a result without a call', body(system, question, result('a')), 'without a call'],
    [
      'results in another order',
      body(system, question, calls(call('a'), call('b')), result('b'), result('a')),
      'not the result of the call',
    ],
    ['a result of another tool', body(system, question, calls(call('a')), result('a', 'x')), 'not the result'],
    ['arguments in a text', body(system, question, calls(call('a', '{}')), result('a')), 'no object'],
    ['half a character', body(system, { role: 'user', content: 'a\ud83d' }), 'not well-formed'],
    ['no system prompt', body(question), 'system prompt is not first'],
    ['no question', body(system), 'no message of the user'],
    ['an answer that says nothing', body(system, question, { role: 'assistant', content: '' }, question), 'nothing'],
    ['an answer at the end', body(system, question, { role: 'assistant', content: 'So.' }), 'asks for nothing'],
    ['no messages', { model: 'm', messages: [] }, 'no messages'],
  ])('finds %s', (_, sent, words) => {
    expect(faultsOf(sent).join('\n')).toContain(words);
  });

  it('finds what was expected and is not there', () => {
    expect(faultsOf(body(system, question), { system: 'You are not', question: 'How?' })).toHaveLength(2);
  });

  it('finds a window that changes, and one that is missing', () => {
    const other = { ...body(system, question), options: { num_ctx: 8_192 } };
    expect(bodyFaults([{ body: body(system, question) }, { body: other }])).toEqual([
      'm was asked with windows of 4096, 8192 tokens',
    ]);
    expect(bodyFaults([{ body: { model: 'm', messages: [system, question] } }])).toEqual([
      'm was asked without a window',
    ]);
  });
});
