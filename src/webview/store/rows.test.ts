import { describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/message';
import { answer, text, toolPart, userMessage } from '../testing/build';
import { RowBuilder, type Row } from './rows';

const step = (seq: number, more: Partial<Message> = {}): Message =>
  answer(seq, [toolPart('read_file', { path: `${seq}.ts` })], more);
const seqs = (row: Row | undefined): number[] => (row?.kind === 'answer' ? row.messages.map((one) => one.seq) : []);
const build = (builder: RowBuilder, messages: readonly Message[]): readonly Row[] =>
  builder.build('c', messages, [], false);

describe('Rows', () => {
  it('puts all steps of an answer into one row', () => {
    const rows = build(new RowBuilder(), [
      userMessage(1, 'q'),
      step(2),
      step(3),
      answer(4, [text('a')]),
      userMessage(5, 'r'),
    ]);
    expect(rows.map((row) => row.kind)).toEqual(['user', 'answer', 'user']);
    expect(seqs(rows[1])).toEqual([2, 3, 4]);
  });

  it('begins another row after an answer that ended, so that a retry stands on its own', () => {
    const rows = build(new RowBuilder(), [
      userMessage(1, 'q'),
      step(2, { status: 'error', reason: 'cut_off' }),
      answer(3, [text('a')]),
      answer(4, [text('b')]),
    ]);
    expect(rows.map(seqs)).toEqual([[], [2], [3], [4]]);
  });

  it('keeps rows that did not change as the same objects', () => {
    const builder = new RowBuilder();
    const messages = [
      userMessage(1, 'q'),
      answer(2, [text('a')]),
      userMessage(3, 'r'),
      step(4, { status: 'streaming' }),
    ];
    const before = build(builder, messages);
    const after = build(builder, [...messages.slice(0, 3), step(4, { status: 'streaming' })]);
    expect(after.map((row, index) => row === before[index])).toEqual([true, true, true, false]);
    expect(after[3]?.key).toBe(before[3]?.key);
    expect(build(builder, [...messages.slice(0, 3), step(4), step(5)])[3]?.key).toBe(before[3]?.key);
  });

  it('keeps the key of an answer whose beginning comes with an older page', () => {
    const builder = new RowBuilder();
    const late = [step(6), answer(7, [text('a')])];
    const key = build(builder, late)[0]?.key;
    const rows = build(builder, [userMessage(4, 'q'), step(5), ...late]);
    expect(seqs(rows[1])).toEqual([5, 6, 7]);
    expect(rows[1]?.key).toBe(key);
  });

  it('gives a message that is confirmed the key of its copy', () => {
    const builder = new RowBuilder();
    const send = { conversationId: 'c', clientId: 'x', text: 'q', sentAt: 1 } as never;
    const [pending] = builder.build('c', [], [send], false);
    const [confirmed] = build(builder, [userMessage(1, 'q', { clientId: 'x' as never })]);
    expect(confirmed?.key).toBe(pending?.key);
  });
});
