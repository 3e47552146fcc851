import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, MessageStatus } from '../../protocol/message';
import type { Part, ToolState } from '../../protocol/part';
import type { ChatMessage } from '../ollama/modelClient';
import { modelHistory } from './history';

const ENOUGH = 1_000_000;

function user(seq: number, text: string): Message {
  return { seq, role: 'user', status: 'done', createdAt: 0, parts: [{ type: 'text', text }] };
}

function answer(seq: number, parts: readonly Part[], status: MessageStatus = 'done'): Message {
  return { seq, role: 'assistant', status, createdAt: 0, parts };
}

function call(state: ToolState, callId?: string): Part {
  return {
    type: 'tool',
    name: 'read_file',
    arguments: { path: 'a' },
    state,
    ...(callId === undefined ? {} : { callId }),
    ...(state === 'done' ? { result: { content: 'the file' } } : {}),
  };
}

const text = (words: string): Part => ({ type: 'text', text: words });
const thinking = (words: string): Part => ({ type: 'thinking', text: words, startedAt: 0 });

describe('what a model is told', () => {
  it('is the words of both, without what was thought in older turns', () => {
    const messages = [
      user(1, 'a'),
      answer(2, [thinking('hm'), text('b')]),
      user(3, 'c'),
      answer(4, [thinking('so'), call('done', 'x')]),
    ];
    expect(modelHistory(messages, ENOUGH)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
      {
        role: 'assistant',
        content: '',
        thinking: 'so',
        toolCalls: [{ id: 'x', name: 'read_file', arguments: { path: 'a' } }],
      },
      { role: 'tool', content: 'the file', toolName: 'read_file', toolCallId: 'x' },
    ]);
  });

  it.each([
    ['interrupted', 'unknown whether it took effect'],
    ['running', 'unknown whether it took effect'],
    ['expired', 'was not run'],
    ['denied', 'denied'],
  ] as const)('says of a call that is %s what is known of it', (state, words) => {
    const told = modelHistory([user(1, 'a'), answer(2, [call(state)], 'aborted'), user(3, 'b')], ENOUGH);
    expect(told[2]?.content).toContain(words);
  });

  it('leaves out an attempt that is made again, and only that', () => {
    const failed = [user(1, 'a'), answer(2, [call('done')]), answer(3, [text('Half')], 'error')];
    expect(modelHistory(failed, ENOUGH)).toEqual([{ role: 'user', content: 'a' }]);
    expect(
      modelHistory([...failed, answer(4, [text('Whole')]), user(5, 'b')], ENOUGH).map((message) => message.content),
    ).toEqual(['a', 'Whole', 'b']);
  });

  it('leaves out the oldest turns when all do not fit, and never the last', () => {
    const messages = [
      user(1, 'a'.repeat(50)),
      answer(2, [text('b')]),
      user(3, 'c'.repeat(50)),
      answer(4, [text('d')]),
      user(5, 'e'.repeat(50)),
    ];
    expect(modelHistory(messages, 110).map((message) => message.content[0])).toEqual(['c', 'd', 'e']);
    expect(modelHistory(messages, 10).map((message) => message.content[0])).toEqual(['e']);
  });

  it('is valid for every transcript: each call has its result right after it, in order, and all text is well-formed', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary' }).map(text),
      fc.string().map(thinking),
      fc
        .tuple(
          fc.constantFrom<ToolState>(
            'pending',
            'awaiting_approval',
            'running',
            'done',
            'error',
            'denied',
            'expired',
            'interrupted',
          ),
          fc.constantFrom(undefined, '', 'same'),
        )
        .map(([state, id]) => call(state, id)),
      fc.constant<Part>({ type: 'text', text: 'half \ud83c' }),
      fc.constant<Part>({ type: 'unknown', originalType: 'audio', json: '{}' }),
    );
    const message = fc.tuple(
      fc.boolean(),
      fc.array(part, { maxLength: 5 }),
      fc.constantFrom<MessageStatus>('streaming', 'done', 'aborted', 'error'),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.nat(400), (drawn, chars) => {
        const messages = drawn.map(([isUser, parts, status], index) =>
          isUser ? user(index + 1, 'u') : answer(index + 1, parts, status),
        );
        expectValid(modelHistory(messages, chars));
      }),
      { numRuns: 2_000 },
    );
  });
});

function expectValid(history: readonly ChatMessage[]): void {
  let owed: string[] = [];
  for (const message of history) {
    expect(message.content.isWellFormed()).toBe(true);
    if (message.role === 'tool') {
      expect(message.toolCallId).toBe(owed.shift());
    } else {
      expect(owed).toEqual([]);
      owed = (message.toolCalls ?? []).map((each) => each.id);
      expect(message.content !== '' || owed.length > 0 || message.role === 'user').toBe(true);
    }
  }
  expect(owed).toEqual([]);
}
