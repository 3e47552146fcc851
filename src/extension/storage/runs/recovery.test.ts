import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createConversation,
  message,
  startRun,
  StoreFolder,
  write,
} from '../../../../test/support/storage/storeFolder';
import type { ApprovalRequest } from '../../../protocol/approval';
import type { ConversationId } from '../../../protocol/ids';
import type { ToolPart } from '../../../protocol/part';
import type { Store } from '../store';

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

const CALL = { type: 'tool', name: 'edit_file', arguments: {} } as const;

const APPROVAL: ApprovalRequest = {
  id: 'request',
  askedAt: 1,
  subject: { kind: 'read', path: '/etc/hosts' },
  reasons: ['outside'],
  grants: [],
  digest: 'd',
};

function call(state: ToolPart['state']): ToolPart {
  return { ...CALL, state, ...(state === 'awaiting_approval' ? { approval: APPROVAL } : {}) };
}

describe('a run whose window is gone while a call waits for an answer', () => {
  async function crashed(): Promise<{ store: Store; id: ConversationId; fence: number }> {
    const one = await folder.open();
    const id = await createConversation(one);
    const fence = await startRun(one, id);
    const parts = [
      { type: 'text', text: 'I change it.' } as const,
      call('done'),
      call('awaiting_approval'),
      call('pending'),
    ];
    const answer = message(1, { role: 'assistant', status: 'streaming', parts });
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await folder.crash(one);
    return { store: await folder.open(), id, fence };
  }

  it('has unknown results where calls ran, before and behind the one that waits', async () => {
    const one = await folder.open();
    const id = await createConversation(one);
    const fence = await startRun(one, id);
    const parts = [
      call('running'),
      call('awaiting_approval'),
      call('running'),
      call('awaiting_approval'),
      call('pending'),
    ];
    const answer = message(1, { role: 'assistant', status: 'streaming', parts });
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await folder.crash(one);
    const two = await folder.open();
    expect(await statesOf(two, id)).toEqual([
      'interrupted',
      'awaiting_approval',
      'interrupted',
      'awaiting_approval',
      'pending',
    ]);
    expect(await two.reader.readConversation(id)).toMatchObject({ suspended: true });
  });

  const statesOf = async (store: Store, id: ConversationId): Promise<readonly unknown[]> =>
    ((await store.reader.readConversation(id))?.page.messages[0]?.parts ?? []).map((part) =>
      part.type === 'tool' ? part.state : part.type,
    );

  it('is suspended: the call still waits, with those behind it', async () => {
    const { store, id } = await crashed();
    expect(await statesOf(store, id)).toEqual(['text', 'done', 'awaiting_approval', 'pending']);
    expect(await folder.sql('SELECT state FROM run')).toEqual([{ state: 'suspended' }]);
    expect(await store.holder(id)).toBe('nobody');
    // Another window that starts changes nothing in it.
    const third = await folder.open();
    expect(await statesOf(third, id)).toEqual(['text', 'done', 'awaiting_approval', 'pending']);
  });

  it('keeps a call before the one that waits, which was to ask next', async () => {
    const one = await folder.open();
    const id = await createConversation(one);
    const fence = await startRun(one, id);
    const parts = [call('pending'), call('awaiting_approval')];
    const answer = message(1, { role: 'assistant', status: 'streaming', parts });
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await folder.crash(one);
    expect(await statesOf(await folder.open(), id)).toEqual(['pending', 'awaiting_approval']);
  });
});

describe('damage in what a dead window was writing', () => {
  it('costs only itself: the run is closed, with those of other conversations', async () => {
    const one = await folder.open();
    const [bad, good] = [await createConversation(one), await createConversation(one)];
    for (const id of [bad, good]) {
      const fence = await startRun(one, id);
      const answer = message(1, { role: 'assistant', status: 'streaming' });
      await write(one, id, { type: 'message_added', message: answer }, fence);
    }
    await folder.sql(`UPDATE message SET data = '{"model":' WHERE conversation = 1`);
    await folder.crash(one);
    const two = await folder.open();
    for (const id of [bad, good]) {
      expect(await two.holder(id)).toBe('nobody');
      expect((await two.reader.readConversation(id))?.page.messages[0]).toMatchObject({
        status: 'aborted',
        reason: 'crash',
        parts: [{ type: 'text', text: 'message 1' }],
      });
    }
  });

  it('is left as it is, and so is what this build does not know', async () => {
    const one = await folder.open();
    const id = await createConversation(one);
    const fence = await startRun(one, id);
    const long = { ...call('done'), result: { content: 'x'.repeat(70_000) } };
    const parts = [{ type: 'text', text: 'known' } as const, long, call('running')];
    const answer = message(1, { role: 'assistant', status: 'streaming', parts });
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await folder.sql(`UPDATE part SET type = 'hologram', state = 'spinning' WHERE id % 256 = 0`);
    await folder.sql(`DELETE FROM blob`);
    const untouched = `SELECT * FROM part WHERE id % 256 < 2 ORDER BY id`;
    const before = await folder.sql(untouched);
    await folder.crash(one);
    await folder.open();
    expect(await folder.sql(untouched)).toEqual(before);
    expect(await folder.sql(`SELECT state FROM part WHERE id % 256 = 2`)).toEqual([{ state: 'interrupted' }]);
  });
});

describe('a run whose own row, or whose conversation, is damaged', () => {
  it.each([
    ['an owner that is not even text', `UPDATE run SET owner = CAST(x'eda0bd41ff' AS TEXT)`],
    ['a time that no number holds', `UPDATE conversation SET updated_at = 9223372036854775807`],
  ])('%s: is ended all the same, and the conversation goes on', async (_, damage) => {
    const one = await folder.open();
    const id = await createConversation(one, 'sub_agent');
    const subAgent = { id, parent: { conversationId: id, seq: 1, idx: 0 }, description: '', prompt: '' } as const;
    await write(one, id, { type: 'sub_agent_created', subAgent: { ...subAgent, state: 'running' } });
    const fence = await startRun(one, id);
    const answer = message(1, { role: 'assistant', status: 'streaming' });
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await folder.sql(damage);
    await folder.crash(one);
    const two = await folder.open();
    expect((await two.reader.readConversation(id))?.page.messages[0]).toMatchObject({ status: 'aborted' });
    expect((await two.reader.listSubAgents()).map(({ state }) => state)).toEqual(['interrupted']);
    expect(await startRun(two, id)).toBe(fence + 1);
  });
});

describe('what a newer build keeps in its rows', () => {
  it('is still there when a window of this build ends its run, and so is a column that was damaged', async () => {
    const one = await folder.open();
    const id = await createConversation(one);
    const fence = await startRun(one, id);
    const parts = [{ type: 'text', text: 'Half' } as const, call('running')];
    const answer = message(1, { role: 'assistant', status: 'streaming', parts });
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await write(one, id, { type: 'delta', seq: 1, idx: 0, chunk: 0, at: 4, text: ' an answer' }, fence);
    await write(one, id, { type: 'delta', seq: 1, idx: 0, chunk: 2, at: 99, text: 'behind a gap' }, fence);
    await folder.sql(`UPDATE part SET data = json_set(data, '$.cited', json('["a"]'), '$.arguments', 'damaged')`);
    await folder.sql(`UPDATE message SET data = '{"model":'`);
    await folder.crash(one);
    await folder.open();
    const read = `SELECT state, json_remove(data, '$.endedAt') AS data FROM part ORDER BY id`;
    expect((await folder.sql(read)).map(({ state, data }) => [state, JSON.parse(String(data))])).toEqual([
      [null, { text: 'Half an answer', cited: ['a'], arguments: 'damaged' }],
      ['interrupted', { name: 'edit_file', arguments: 'damaged', cited: ['a'] }],
    ]);
    expect(await folder.sql('SELECT data FROM part_delta')).toEqual([{ data: 'behind a gap' }]);
    expect(await folder.sql(`SELECT data ->> '$.damaged' AS was, data ->> '$.reason' AS why FROM message`)).toEqual([
      { was: '{"model":', why: 'crash' },
    ]);
  });
});

describe('sub-agents', () => {
  async function spawn(store: Store, parent: ConversationId, idx: number): Promise<ConversationId> {
    const id = await createConversation(store, 'sub_agent');
    const subAgent = {
      id,
      parent: { conversationId: parent, seq: 1, idx },
      state: 'queued',
      description: `Task ${idx}`,
      prompt: 'Look at it.',
    } as const;
    await write(store, id, { type: 'sub_agent_created', subAgent });
    return id;
  }

  it('are conversations like any other, listed for their parent and for all, in the order in which they were made', async () => {
    const store = await folder.open();
    const [parent, other] = [await createConversation(store), await createConversation(store)];
    const [first, second, third] = [
      await spawn(store, parent, 0),
      await spawn(store, parent, 1),
      await spawn(store, other, 0),
    ];
    await write(store, first, { type: 'message_added', message: message(1) });
    await write(store, first, { type: 'sub_agent_changed', change: { state: 'running', startedAt: 10 } });
    await write(store, first, {
      type: 'sub_agent_changed',
      change: { state: 'done', finishedAt: 20, result: 'Found it.' },
    });
    await write(store, first, { type: 'sub_agent_changed', change: { state: 'done', deliveredSeq: 3 } });
    // What has ended stays as it ended.
    await write(store, first, { type: 'sub_agent_changed', change: { state: 'running' } });
    const [listed] = await store.reader.listSubAgents(parent);
    expect(listed).toEqual({
      id: first,
      parent: { conversationId: parent, seq: 1, idx: 0 },
      state: 'done',
      description: 'Task 0',
      prompt: 'Look at it.',
      result: 'Found it.',
      startedAt: 10,
      finishedAt: 20,
      deliveredSeq: 3,
    });
    expect((await store.reader.listSubAgents(parent)).map(({ id }) => id)).toEqual([first, second]);
    expect((await store.reader.listSubAgents()).map(({ id }) => id)).toEqual([first, second, third]);
    expect((await store.reader.readConversation(first))?.page.messages).toEqual([message(1)]);
    expect((await store.reader.listConversations('file:///w')).map(({ id }) => id)).toEqual(
      expect.not.arrayContaining([first]),
    );
  });

  it('whose window is gone are interrupted; those of a window that lives are not', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    const parent = await createConversation(one);
    const [dies, lives] = [await spawn(one, parent, 0), await spawn(two, parent, 1)];
    await startRun(one, dies);
    await startRun(two, lives);
    await folder.crash(one);
    const three = await folder.open();
    expect((await three.reader.listSubAgents(parent)).map(({ state }) => state)).toEqual(['interrupted', 'queued']);
  });
});

describe('a run on a file system whose locks prove nothing, or of another machine', () => {
  it('is ended only by taking it over', async () => {
    const far = await folder.open('another-machine');
    const id = await createConversation(far);
    const fence = await startRun(far, id);
    const answer = message(1, { role: 'assistant', status: 'streaming', parts: [{ type: 'text', text: 'Half' }] });
    await write(far, id, { type: 'message_added', message: answer }, fence);
    const near = await folder.open();
    expect(await near.holder(id)).toBe('elsewhere');
    expect(await near.takeOver(id)).toBe('ended');
    expect(await near.holder(id)).toBe('nobody');
    expect((await near.reader.readConversation(id))?.page.messages[0]).toMatchObject({
      status: 'aborted',
      reason: 'takeover',
      parts: [{ text: 'Half' }],
    });
    expect(await write(far, id, { type: 'delta', seq: 1, idx: 0, chunk: 0, at: 4, text: ' more' }, fence)).toBe(
      'fenced',
    );
  });

  it('keeps its call waiting, for the window that took it over', async () => {
    const far = await folder.open('another-machine');
    const id = await createConversation(far);
    const fence = await startRun(far, id);
    const parts = [call('running'), call('awaiting_approval'), call('pending')];
    const answer = message(1, { role: 'assistant', status: 'streaming', parts });
    await write(far, id, { type: 'message_added', message: answer }, fence);
    const near = await folder.open();
    expect(await near.takeOver(id)).toBe('ended');
    expect(await near.holder(id)).toBe('nobody');
    const kept = [{ ...call('running'), state: 'interrupted' }, call('awaiting_approval'), call('pending')];
    expect(await near.reader.readConversation(id)).toMatchObject({
      suspended: true,
      page: { messages: [{ status: 'streaming', parts: kept }] },
    });
    const part: ToolPart = { ...call('awaiting_approval'), state: 'running', effects: true };
    expect(await write(far, id, { type: 'part_set', seq: 1, idx: 1, part }, fence)).toBe('fenced');
    expect(await near.claimRun(id)).toMatchObject({ kind: 'granted' });
    expect(await write(near, id, { type: 'run_started', fence: fence + 1 })).toBe('written');
    expect(await write(near, id, { type: 'part_set', seq: 1, idx: 1, part }, fence + 1)).toBe('written');
  });
});
