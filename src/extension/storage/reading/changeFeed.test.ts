import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversation, message, StoreFolder, write } from '../../../../test/support/storage/storeFolder';
import { FEED_ROWS } from '../../base/limits';

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

describe('what other windows are told', () => {
  it('is every change in order, none for streamed text, and nothing while nobody writes', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    const id = await createConversation(one);
    const answer = message(1, { role: 'assistant', status: 'streaming', parts: [{ type: 'text', text: '' }] });
    await write(one, id, { type: 'message_added', message: answer });
    await write(one, id, { type: 'delta', seq: 1, idx: 0, chunk: 0, at: 0, text: 'Hello' });
    await write(one, id, { type: 'part_set', seq: 1, idx: 0, part: { type: 'text', text: 'Hello' } });
    expect(await two.feed.poll()).toEqual({
      kind: 'changes',
      changes: [
        { conversationId: id, kind: 'conversation' },
        { conversationId: id, kind: 'message', seq: 1 },
        { conversationId: id, kind: 'part', seq: 1, idx: 0 },
      ],
    });
    expect(await two.feed.poll()).toEqual({ kind: 'same' });
    await write(one, id, { type: 'delta', seq: 1, idx: 1, chunk: 0, at: 0, text: 'x' });
    expect(await two.feed.poll()).toEqual({ kind: 'changes', changes: [] });
  });

  it('is bounded: who missed more than it holds is told so, and the newest changes stay', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    const id = await createConversation(one);
    await two.feed.poll();
    const many = Array.from({ length: FEED_ROWS + 300 }, (_, index) => index + 1);
    await Promise.all(many.map((seq) => write(one, id, { type: 'message_added', message: message(seq) })));
    expect(await two.feed.poll()).toEqual({ kind: 'missed' });
    const [{ n, newest } = {}] = await folder.sql('SELECT count(*) AS n, max(seq) AS newest FROM change');
    expect(n).toBeLessThanOrEqual(FEED_ROWS + 100);
    expect(newest).toBe(FEED_ROWS + 300);
    await write(one, id, { type: 'conversation_changed', title: 'New' });
    expect(await two.feed.poll()).toMatchObject({ kind: 'changes', changes: [{ kind: 'conversation' }] });
  });

  it('is read anew when its numbers are damaged, instead of never again', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    const id = await createConversation(one);
    await two.feed.poll();
    await folder.sql(`UPDATE change SET id = 9223372036854775807`);
    expect(await two.feed.poll()).toEqual({ kind: 'missed' });
    await write(one, id, { type: 'conversation_changed', title: 'New' });
    expect(await two.feed.poll()).toEqual({ kind: 'missed' });
    expect(await two.feed.poll()).toEqual({ kind: 'same' });
  });

  it('leaves nothing of a change that was refused or undone', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    const id = await createConversation(one);
    await two.feed.poll();
    const outcomes = await Promise.all([
      write(one, id, { type: 'message_added', message: message(1) }),
      write(one, id, { type: 'message_added', message: message(1) }),
    ]);
    expect(outcomes).toEqual(['written', 'rejected']);
    expect(await two.feed.poll()).toEqual({
      kind: 'changes',
      changes: [{ conversationId: id, kind: 'message', seq: 1 }],
    });
  });
});
