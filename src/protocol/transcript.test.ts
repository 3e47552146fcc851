import { describe, expect, it } from 'vitest';
import type { ConversationId } from './ids';
import { messageWord, type EndReason, type Message, type MessageStatus } from './message';
import { fold, type Transcript } from './transcript';

const message: Message = {
  seq: 1,
  role: 'assistant',
  status: 'streaming',
  createdAt: 0,
  parts: [{ type: 'text', text: 'Hello' }],
};
const transcript: Transcript = {
  conversation: { id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as ConversationId, kind: 'chat', title: '', createdAt: 0 },
  messages: [message],
  hasOlder: false,
};

function textAfter(at: number, text: string, from = transcript): string | undefined {
  const folded = fold(from, { type: 'part_delta', seq: 1, idx: 0, at, text });
  const part = folded.ok ? folded.transcript.messages[0]?.parts[0] : undefined;
  return part?.type === 'text' ? `${part.text}${part.omitted === undefined ? '' : `+${part.omitted}`}` : undefined;
}

describe('folding streamed text', () => {
  it('appends at the end', () => expect(textAfter(5, ' you')).toBe('Hello you'));
  it('cuts what overlaps', () => expect(textAfter(3, 'lo you')).toBe('Hello you'));
  it('changes nothing when it is there already', () => expect(textAfter(0, 'Hello')).toBe('Hello'));
  it('notices a gap', () => expect(textAfter(6, 'x')).toBeUndefined());

  it('counts what it misses in a part that was cut on the wire', () => {
    const cut = {
      ...transcript,
      messages: [{ ...message, parts: [{ type: 'text', text: 'He', omitted: 3 } as const] }],
    };
    expect(textAfter(5, ' you', cut)).toBe('He+7');
    expect(textAfter(3, 'lo you', cut)).toBe('He+7');
    expect(textAfter(6, 'x', cut)).toBeUndefined();
  });

  it('changes nothing in a message that is not loaded', () => {
    expect(fold(transcript, { type: 'part_delta', seq: 9, idx: 0, at: 4, text: 'x' })).toEqual({
      ok: true,
      transcript,
    });
  });
});

describe('the word of a message', () => {
  const table: readonly (readonly [MessageStatus, EndReason | undefined, string])[] = [
    ['streaming', undefined, 'writing'],
    ['done', undefined, 'done'],
    ['done', 'length', 'cut off'],
    ['aborted', 'stop', 'stopped'],
    ['aborted', 'step_limit', 'stopped'],
    ['aborted', 'crash', 'interrupted'],
    ['aborted', 'takeover', 'interrupted'],
    ['error', 'cut_off', 'cut off'],
    ['error', 'server_error', 'failed'],
    ['error', 'model_not_found', 'failed'],
    ['error', undefined, 'failed'],
  ];
  it.each(table)('%s %s is %s', (status, reason, word) => {
    expect(messageWord({ status, parts: message.parts, ...(reason === undefined ? {} : { reason }) })).toBe(word);
  });

  it('is running while nothing or a call is the last part', () => {
    expect(messageWord({ status: 'streaming', parts: [] })).toBe('running');
    expect(
      messageWord({ status: 'streaming', parts: [{ type: 'tool', name: 't', arguments: {}, state: 'running' }] }),
    ).toBe('running');
  });
});
