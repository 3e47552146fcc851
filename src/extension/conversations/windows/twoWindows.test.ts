import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientId } from '../../../protocol/ids';
import { callTool, holdUntil, say, think } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { ManualClock } from '../../../../test/support/manualClock';
import { ask, idle, said, until } from '../../../../test/support/windows/liveTalk';
import { OTHER_MODEL, SharedHistory } from '../../../../test/support/windows/sharedHistory';
import { DELTA_FLUSH_MS, FRAME_MS, WATCH_MS } from '../../base/limits';
import { StorageError } from '../../storage/storageError';
import type { LiveConversation } from '../liveConversation';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

/** Counts how often a conversation was read anew instead of followed. */
function countReplaced(live: LiveConversation): { count: number } {
  const seen = { count: 0 };
  live.listen({ event: () => undefined, status: () => undefined, replaced: () => (seen.count += 1) });
  return seen;
}

describe('a conversation that runs in another window', () => {
  it('is followed live and read-only, chunk by chunk, and can be continued when it ends', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const [more, end] = [new Gate(), new Gate()];
    history.server.script(
      think('Hm. '),
      say('Slowly'),
      holdUntil(more.opened),
      say(', but surely'),
      holdUntil(end.opened),
      say('.'),
    );
    history.server.script(say('Second.'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Slowly') ?? false);
    const other = await two.see(live);
    const replaced = countReplaced(other);
    expect(other.status.owner).toBe('elsewhere');
    expect(await other.send('x' as ClientId, 'Me too', 'm')).toMatchObject({ ok: false });
    await until(other, () => said(other).at(-1)?.endsWith('Slowly') ?? false);
    more.open();
    await until(live, () => said(live).at(-1)?.endsWith('surely') ?? false);
    await until(other, () => said(other).at(-1)?.endsWith('surely') ?? false);
    expect(replaced.count).toBe(0);
    end.open();
    await idle(live);
    await until(other, () => other.status.owner === 'none');
    expect(other.transcript).toEqual(live.transcript);
    await ask(other, 'And now?');
    await idle(other);
    expect(said(other).at(-1)).toBe('assistant, done: Second.');
  });

  it('is read to its end before anything is written by a window that could not ask who runs it', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const end = new Gate();
    history.server.script(say('Half'), holdUntil(end.opened), callTool('no_such_tool', {}));
    history.server.script(say('Whole.'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    const full = new StorageError('transient', 'SQLITE_FULL', 'full', 'The disk is full.');
    const holder = vi.spyOn(two.store, 'holder').mockRejectedValue(full);
    const other = await two.see(live);
    expect(other.status.owner).toBe('none');
    end.open();
    await idle(live);
    holder.mockRestore();
    history.server.script(say('Second.'));
    await ask(other, 'And now?');
    await idle(other);
    expect(said(other).slice(0, -2)).toEqual(said(live));
    expect(said(other).slice(-2)).toEqual(['user, done: And now?', 'assistant, done: Second.']);
    expect(other.status.save.kind).toBe('saved');
  });

  it('shows what was written at the next look, so within a second', async () => {
    const clock = new ManualClock();
    const [one, two] = [await history.open(), await history.open({ watchClock: clock })];
    const live = one.create();
    const end = new Gate();
    history.server.script(say('Slowly'), holdUntil(end.opened), say('.'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Slowly') ?? false);
    await expect.poll(() => history.chunks()).toBe('Slowly');
    const other = await two.see(live);
    end.open();
    await idle(live);
    expect(said(other).at(-1)).toBe('assistant, writing: Slowly');
    clock.advance(WATCH_MS);
    await until(other, () => said(other).at(-1) === 'assistant, done: Slowly.');
    expect(DELTA_FLUSH_MS + WATCH_MS + FRAME_MS).toBeLessThan(1_000);
  });

  it('is read anew when more changed than the feed holds, and followed on from there', async () => {
    const clock = new ManualClock();
    const [one, two] = [await history.open(), await history.open({ watchClock: clock })];
    const live = one.create();
    const [more, end] = [new Gate(), new Gate()];
    history.server.script(say('One'), holdUntil(more.opened), say(' two'), holdUntil(end.opened), say(' three'));
    await ask(live, 'Go');
    await expect.poll(() => history.chunks()).toBe('One');
    const other = await two.see(live);
    const replaced = countReplaced(other);
    more.open();
    await expect.poll(() => history.chunks()).toBe('One two');
    await history.sql('UPDATE change SET id = id + 5000');
    clock.advance(WATCH_MS);
    await until(other, () => said(other).at(-1) === 'assistant, writing: One two');
    expect([replaced.count, other.status.owner]).toEqual([1, 'elsewhere']);
    end.open();
    await idle(live);
    clock.advance(WATCH_MS);
    await until(other, () => said(other).at(-1) === 'assistant, done: One two three');
    expect(other.transcript).toEqual(live.transcript);
  });

  it('shows calls, their results and the messages after them as they come', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const gates = [new Gate(), new Gate()];
    history.server.script(say('First I look.'), holdUntil(gates[0]!.opened), callTool('list_files', { path: '.' }));
    history.server.script(say('It holds '), holdUntil(gates[1]!.opened), say('a database.'));
    await ask(live, 'What is here?');
    await until(live, () => said(live).at(-1)?.endsWith('look.') ?? false);
    const other = await two.see(live);
    const replaced = countReplaced(other);
    gates[0]!.open();
    await until(other, () => said(other).at(-1)?.endsWith('It holds ') ?? false);
    expect(other.transcript.messages[1]).toMatchObject({ status: 'done', parts: [{}, { state: 'done' }] });
    expect(replaced.count).toBe(0);
    gates[1]!.open();
    await until(other, () => other.status.owner === 'none');
    expect(other.transcript).toEqual(live.transcript);
  });

  it('is closed and free when its window is gone, and what it had written stays', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(say('Half an answer'), holdUntil(new Gate().opened));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('answer') ?? false);
    await expect.poll(() => history.chunks()).toBe('Half an answer');
    const other = await two.see(live);
    await history.kill(one);
    await until(other, () => other.status.owner === 'none');
    expect(said(other)).toEqual(['user, done: Go', 'assistant, interrupted: Half an answer']);
  });
});

describe('two windows that show the same idle conversation', () => {
  it('go on from what the other one wrote, not from what they remember', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    for (const text of ['1', '2', '3']) history.server.script(say(text));
    await ask(live, 'One');
    await idle(live);
    const other = await two.see(live);
    await ask(other, 'Two');
    await idle(other);
    await ask(live, 'Three');
    await idle(live);
    expect(live.transcript.messages.map((message) => message.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(said(live).filter((line) => line.startsWith('user'))).toEqual([
      'user, done: One',
      'user, done: Two',
      'user, done: Three',
    ]);
  });

  it('that are written in at the same moment get one run: nothing is mixed, nothing lost', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(say('0'));
    await ask(live, 'Zero');
    await idle(live);
    const other = await two.see(live);
    const texts = ['from one', 'from two'];
    for (const text of texts) history.server.script(say(text));
    const replies = await Promise.all([
      live.send('a' as ClientId, texts[0]!, 'm'),
      other.send('b' as ClientId, texts[1]!, 'm'),
    ]);
    await Promise.all([idle(live), idle(other)]);
    const sent = texts.filter((_, index) => replies[index]?.ok);
    expect(sent.length).toBeGreaterThanOrEqual(1);
    const stored = said(await history.reopened(live));
    expect(stored.filter((line) => line.startsWith('user')).toSorted()).toEqual(
      ['user, done: Zero', ...sent.map((text) => `user, done: ${text}`)].toSorted(),
    );
  });

  it('show a title and a model that were changed in the other one, and keep their own', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    const other = await two.see(live);
    other.chooseModel(OTHER_MODEL);
    await until(live, () => live.transcript.conversation.model === OTHER_MODEL);
    expect(live.transcript.conversation.title).toBe('One');
  });
});

describe('a conversation that is open in one window', () => {
  it('keeps a title that another window gave while this one had it open and went on', async () => {
    const [here, there] = [await history.open(), await history.open()];
    const live = here.create();
    history.server.script(say('One.'));
    history.server.script(say('Two.'));
    await ask(live, 'First');
    await idle(live);
    const change = { type: 'conversation_changed', title: 'Renamed over there' } as const;
    expect(await there.store.write({ conversationId: live.id, at: Date.now(), change })).toBe('written');
    live.chooseModel(OTHER_MODEL);
    await ask(live, 'Second', OTHER_MODEL);
    await idle(live);
    const again = await history.reopened(live);
    expect(again.transcript.conversation).toMatchObject({ title: 'Renamed over there', model: OTHER_MODEL });
    expect(again.transcript.messages).toHaveLength(4);
  });
});
