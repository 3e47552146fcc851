import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, MessageStatus } from '../../protocol/message';
import type { Part, ToolState } from '../../protocol/part';
import type { ChatMessage } from '../ollama/modelClient';
import { modelHistory, type Telling } from './history';
import { estimateTokens } from './tokens';

const WHOLE: Telling = { resultTokens: 100_000, vision: false };

function told(messages: readonly Message[], telling = WHOLE): readonly ChatMessage[] {
  return modelHistory(messages, telling).told.flatMap((each) => each.messages);
}

function user(seq: number, text: string): Message {
  return { seq, role: 'user', status: 'done', createdAt: 0, parts: [{ type: 'text', text }] };
}

function answer(seq: number, parts: readonly Part[], status: MessageStatus = 'done'): Message {
  return { seq, role: 'assistant', status, createdAt: 0, parts };
}

function notice(seq: number, covers: number, words: string): Message {
  const parts = [{ type: 'notice', kind: 'compaction', text: words, covers }] as const;
  return { seq, role: 'user', origin: 'host', status: 'done', createdAt: 0, parts };
}

function words(history: readonly ChatMessage[]): readonly string[] {
  return history.map((message) => message.content);
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
    expect(told(messages)).toEqual([
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
    const history = told([user(1, 'a'), answer(2, [call(state)], 'aborted'), user(3, 'b')]);
    expect(history[2]?.content).toContain(words);
  });

  it('leaves out an answer that is given again, from the question on', () => {
    const given = [user(1, 'a'), answer(2, [call('done')]), answer(3, [text('No')])];
    expect(words(told(given))).toEqual(['a']);
    expect(words(told([...given, answer(4, [text('Yes')]), user(5, 'b')]))).toEqual(['a', 'Yes', 'b']);
  });

  it('keeps what an attempt that failed had found out', () => {
    const failed = [user(1, 'a'), answer(2, [call('done')]), answer(3, [text('Half')], 'error')];
    expect(words(told(failed))).toEqual(['a', '', 'the file']);
    expect(words(told([...failed, answer(4, [text('Whole')]), user(5, 'b')]))).toEqual([
      'a',
      '',
      'the file',
      'Whole',
      'b',
    ]);
  });

  it('tells of a call that may have had an effect, whatever came after it', () => {
    const history = told([user(1, 'a'), answer(2, [call('interrupted'), call('expired')], 'aborted')]);
    expect(words(history).slice(2)).toEqual([
      expect.stringContaining('unknown whether it took effect'),
      expect.stringContaining('was not run'),
    ]);
  });

  it.each(['model_fault', 'empty', 'length'] as const)('leaves out an answer that was no use (%s)', (reason) => {
    const useless = { ...answer(3, [thinking('hm'), text('{"na')], 'error'), reason };
    const messages = [user(1, 'a'), answer(2, [call('done')]), useless, answer(4, [text('b')]), user(5, 'c')];
    expect(words(told(messages))).toEqual(['a', '', 'the file', 'b', 'c']);
  });

  it('holds a summary in place of what it covers, and the messages after that word by word', () => {
    const messages = [
      user(1, 'a'),
      answer(2, [text('b')]),
      user(3, 'c'),
      answer(4, [call('done')]),
      notice(5, 3, 'A and b.'),
    ];
    expect(modelHistory(messages, WHOLE).summary).toBe('A and b.');
    expect(words(told(messages))).toEqual(['c', '', 'the file']);
    const more = [...messages, answer(6, [text('d')]), user(7, 'e'), notice(8, 6, 'All of it.')];
    expect(modelHistory(more, WHOLE).summary).toBe('All of it.');
    expect(words(told(more))).toEqual(['e']);
  });

  it('tells the last question word by word also when the summary covers it', () => {
    const messages = [user(1, 'a'), answer(2, [call('done')]), answer(3, [call('done')]), notice(4, 2, 'So far.')];
    expect(words(told(messages))).toEqual(['a', '', 'the file']);
  });

  it('names the images that a model cannot see, and gives them to one that can', () => {
    const image: Part = {
      type: 'attachment',
      kind: 'image',
      name: 'x.png',
      mediaType: 'image/png',
      bytes: 3,
      data: 'AAAA',
    };
    const asked = [{ ...user(1, 'What is it?'), parts: [text('What is it?'), image] }];
    expect(told(asked)).toEqual([{ role: 'user', content: 'What is it?\n\n(Images that you cannot see: x.png.)' }]);
    expect(told(asked, { ...WHOLE, vision: true })).toEqual([
      { role: 'user', content: 'What is it?', images: ['AAAA'] },
    ]);
  });

  it('keeps the steps of an answer that is given anew in which something was done, and only those', () => {
    const wrote: Part = { ...call('done'), name: 'write_file', effects: true } as Part;
    const turn = [user(1, 'a'), answer(2, [call('done')]), answer(3, [text('so'), wrote]), answer(4, [text('b')])];
    expect(words(told(turn))).toEqual(['a', 'so', 'the file']);
    // The next attempt is told the same of the one before it.
    expect(words(told([...turn, answer(5, [call('done')])]))).toEqual(['a', 'so', 'the file', '', 'the file']);
    // That it stands now is what is told, not that it was made.
    expect(words(told(turn, { ...WHOLE, answered: true }))).toEqual(['a', '', 'the file', 'so', 'the file', 'b']);
  });

  it('says of a change that the person has taken back that it is gone, and forgets it when asked anew', () => {
    const change = {
      path: 'a',
      kind: 'changed',
      added: 1,
      removed: 0,
      hunks: [],
      hunksLeftOut: 0,
      undone: true,
    } as const;
    const undone: Part = { ...call('done'), effects: true, change } as Part;
    const turn = [user(1, 'a'), answer(2, [undone]), answer(3, [text('b')])];
    expect(words(told(turn))).toEqual(['a']);
    expect(words(told([...turn, user(4, 'c')]))[2]).toMatch(/^the file\n\n\(The user has taken this change back/);
  });

  it('shows an image that a tool has read while its turn goes on, to a model that sees', () => {
    const image = { mediaType: 'image/png', bytes: 3, data: 'AAAA' };
    const read: Part = { ...call('done', 'x'), result: { content: 'An image.', image } } as Part;
    const turn = [user(1, 'a'), answer(2, [read])];
    const seeing = { ...WHOLE, vision: true };
    expect(told(turn, seeing)[2]).toEqual({
      role: 'tool',
      content: 'An image.',
      images: ['AAAA'],
      toolName: 'read_file',
      toolCallId: 'x',
    });
    for (const blind of [told(turn)[2], told([...turn, user(3, 'b')], seeing)[2]]) {
      expect(blind?.images).toBeUndefined();
      expect(blind?.content).toContain('not shown here');
    }
  });

  it('gives the beginning and the end of a long result, and says what is missing', () => {
    const long: Part = { ...call('done'), result: { content: `BEGIN ${'word '.repeat(5_000)}END` } } as Part;
    const result = told([user(1, 'a'), answer(2, [long])], { ...WHOLE, resultTokens: 300 }).at(-1)?.content ?? '';
    expect(result).toMatch(/^BEGIN [^]*characters left out here[^]*END$/);
    expect(estimateTokens(result)).toBeLessThanOrEqual(300);
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
      fc.constantFrom('user', 'answer', 'answer', 'notice'),
      fc.array(part, { maxLength: 5 }),
      fc.constantFrom<MessageStatus>('streaming', 'done', 'aborted', 'error'),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.nat(400), (drawn, resultTokens) => {
        const messages = drawn.map(([kind, parts, status], index) => {
          if (kind === 'user') return user(index + 1, 'u');
          return kind === 'notice' ? notice(index + 1, Math.floor(index / 2), 's') : answer(index + 1, parts, status);
        });
        expectValid(told(messages, { resultTokens, vision: false }));
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
