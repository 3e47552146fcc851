import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createConversation as create,
  message,
  startRun,
  StoreFolder,
  write,
} from '../../../test/support/storage/storeFolder';
import type { ClientId, ConversationId } from '../../protocol/ids';
import { Connection } from './connection';
import { NEWEST_VERSION } from './migrations/all';

const WORKSPACE = { key: 'file:///w', name: 'w' };

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

function newConversation(): ConversationId {
  return ulid() as ConversationId;
}

describe('the database file', () => {
  it('is written by a SQLite without the WAL-reset fault, with incremental vacuum', async () => {
    await folder.open();
    const [version] = await folder.sql('SELECT sqlite_version() AS v');
    expect(version).toEqual({ v: '3.53.2' });
    expect(await folder.sql('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
    expect(await folder.sql('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await folder.sql('PRAGMA user_version')).toEqual([{ user_version: NEWEST_VERSION }]);
  });

  it('is made once when several windows start at the same time', async () => {
    const five = Array.from({ length: 5 }, () => folder.add());
    expect(await Promise.all(five.map((store) => store.start()))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(await folder.sql('SELECT count(*) AS n FROM meta')).toEqual([{ n: 1 }]);
  });

  it('that is not a database is left alone and named in words', async () => {
    await writeFile(join(folder.path, 'holdfast.db'), 'not a database, but somebody may want it back'.repeat(100));
    const store = folder.add();
    expect((await store.start())?.sentence).toBe('The history file is damaged. It was left as it is.');
  });
});

describe('writing', () => {
  it('gives a conversation back as it was written', async () => {
    const store = await folder.open();
    const id = await create(store);
    const first = message(1, { clientId: 'c1' as ClientId });
    const second = message(2, {
      role: 'assistant',
      model: 'm',
      parts: [
        { type: 'thinking', text: 'hm', startedAt: 3, endedAt: 4 },
        {
          type: 'tool',
          name: 'read_file',
          arguments: { path: 'a' },
          state: 'done',
          result: { content: 'x', summary: '1 line' },
        },
        { type: 'unknown', originalType: 'audio', json: '{"hz":440}' },
      ],
    });
    await write(store, id, { type: 'message_added', message: first });
    await write(store, id, { type: 'message_added', message: second });
    const stored = await store.reader.readConversation(id);
    expect(stored?.page).toEqual({ messages: [first, second], hasOlder: false });
    expect(stored?.conversation).toEqual({ id, kind: 'chat', title: 'Title', createdAt: 1 });
  });

  it('puts streamed chunks in place, and drops them when the part is written whole', async () => {
    const store = await folder.open();
    const id = await create(store);
    await write(store, id, {
      type: 'message_added',
      message: message(1, { role: 'assistant', status: 'streaming', parts: [{ type: 'text', text: '' }] }),
    });
    await write(store, id, { type: 'delta', seq: 1, idx: 0, chunk: 0, at: 0, text: 'Hello ' });
    await write(store, id, { type: 'delta', seq: 1, idx: 0, chunk: 1, at: 6, text: 'world' });
    const texts = async () => (await store.reader.readConversation(id))?.page.messages[0]?.parts;
    expect(await texts()).toEqual([{ type: 'text', text: 'Hello world' }]);
    await write(store, id, { type: 'part_set', seq: 1, idx: 0, part: { type: 'text', text: 'Hello world.' } });
    expect(await texts()).toEqual([{ type: 'text', text: 'Hello world.' }]);
    expect(await folder.sql('SELECT * FROM part_delta')).toEqual([]);
  });

  it('sets a change aside that can never be written, and goes on with the next', async () => {
    const store = await folder.open();
    const id = await create(store);
    const outcomes = await Promise.all([
      write(store, id, { type: 'message_added', message: message(1) }),
      write(store, id, { type: 'message_added', message: message(1) }),
      write(store, newConversation(), { type: 'message_added', message: message(1) }),
      write(store, id, { type: 'message_added', message: message(2 ** 24) }),
      write(store, id, { type: 'message_added', message: message(2) }),
    ]);
    expect(outcomes).toEqual(['written', 'rejected', 'rejected', 'rejected', 'written']);
    expect(await folder.sql('SELECT count(*) AS n FROM rejected')).toEqual([{ n: 3 }]);
  });

  it('keeps what waits while another process holds the lock, and writes it afterwards in order', async () => {
    const store = await folder.open();
    const id = await create(store);
    const other = await Connection.open(join(folder.path, 'holdfast.db'), 'existing');
    await other.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    const failing = new Promise<void>((resolve) => {
      const stop = store.onFailureChange(() => {
        stop();
        resolve();
      });
    });
    const writes = [1, 2, 3].map((seq) => write(store, id, { type: 'message_added', message: message(seq) }));
    await failing;
    expect(store.failure?.error.code).toBe('SQLITE_BUSY');
    await other.exclusive((statements) => statements.run('ROLLBACK'));
    expect(await Promise.all(writes)).toEqual(['written', 'written', 'written']);
    expect(store.failure).toBeUndefined();
    await other.close();
    expect((await store.reader.readConversation(id))?.page.messages.map((each) => each.seq)).toEqual([1, 2, 3]);
  });

  it('costs a damaged part only itself', async () => {
    const store = await folder.open();
    const id = await create(store);
    await write(store, id, { type: 'message_added', message: message(1) });
    await write(store, id, { type: 'message_added', message: message(2) });
    const other = await Connection.open(join(folder.path, 'holdfast.db'), 'existing');
    await other.exclusive((statements) =>
      statements.run(`UPDATE part SET data = '{"text":' WHERE id % 4294967296 = 256`),
    );
    await other.close();
    const parts = (await store.reader.readConversation(id))?.page.messages.map((each) => each.parts);
    expect(parts).toEqual([
      [{ type: 'unknown', originalType: 'text', json: '{"text":' }],
      [{ type: 'text', text: 'message 2' }],
    ]);
  });

  it('costs a message whose own number is damaged nothing: it stands where its key says', async () => {
    const store = await folder.open();
    const id = await create(store);
    for (const seq of [1, 2, 3]) await write(store, id, { type: 'message_added', message: message(seq) });
    await folder.damage(`UPDATE message SET seq = -7 WHERE seq = 2`);
    expect((await store.reader.readConversation(id))?.page.messages).toEqual([1, 2, 3].map((seq) => message(seq)));
  });
});

describe('pages', () => {
  it('lead back to the first message without a hole', async () => {
    const store = await folder.open();
    const id = await create(store);
    await Promise.all(
      Array.from({ length: 450 }, (_, index) =>
        write(store, id, { type: 'message_added', message: message(index + 1) }),
      ),
    );
    let page = (await store.reader.readConversation(id))?.page;
    const seqs: number[] = [];
    while (page !== undefined) {
      seqs.unshift(...page.messages.map((each) => each.seq));
      page = page.hasOlder ? await store.reader.readOlderPage(id, seqs[0] ?? 0) : undefined;
    }
    expect(seqs).toEqual(Array.from({ length: 450 }, (_, index) => index + 1));
  });

  it('hold at least one message, however long it is', async () => {
    const store = await folder.open();
    const id = await create(store);
    const long = message(2, { parts: [{ type: 'text', text: 'x'.repeat(600_000) }] });
    await write(store, id, { type: 'message_added', message: message(1) });
    await write(store, id, { type: 'message_added', message: long });
    expect((await store.reader.readConversation(id))?.page).toEqual({ messages: [long], hasOlder: true });
  });
});

describe('a run', () => {
  const answer = message(2, { role: 'assistant', status: 'streaming', parts: [{ type: 'text', text: '' }] });

  it('is not given to a second window while the first lives', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    const id = await create(one);
    await startRun(one, id);
    expect((await two.claimRun(id)).kind).toBe('elsewhere');
    expect(await write(two, id, { type: 'run_started', fence: 2 })).toBe('fenced');
    expect(await two.holder(id)).toBe('elsewhere');
    expect(await one.holder(id)).toBe('self');
  });

  it('is believed of a window whose sign of life was removed under it, from its next run on', async () => {
    const [one, two] = [await folder.open(), await folder.open()];
    const [first, second] = [await create(one), await create(one)];
    await startRun(one, first);
    await rm(join(folder.path, 'owners'), { recursive: true });
    expect(await two.holder(first)).toBe('nobody');
    const fences = await Promise.all([first, second].map((id) => startRun(one, id)));
    expect(fences).toEqual([2, 1]);
    expect(await two.holder(first)).toBe('elsewhere');
    expect(await two.holder(second)).toBe('elsewhere');
    await folder.crash(one);
    expect(await two.holder(first)).toBe('nobody');
    expect(await readdir(join(folder.path, 'owners'))).toEqual([]);
  });

  it('of a window that is gone is ended: partial text kept, message interrupted, calls closed', async () => {
    const one = await folder.open();
    const id = await create(one);
    const fence = await startRun(one, id);
    await write(one, id, { type: 'message_added', message: message(1) }, fence);
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await write(one, id, { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: 'Half an ans' }, fence);
    const call = { type: 'tool', name: 'read_file', arguments: {} } as const;
    await write(one, id, { type: 'part_set', seq: 2, idx: 1, part: { ...call, state: 'running' } }, fence);
    await write(one, id, { type: 'part_set', seq: 2, idx: 2, part: { ...call, state: 'pending' } }, fence);
    await folder.crash(one);

    const two = await folder.open();
    const [, interrupted] = (await two.reader.readConversation(id))?.page.messages ?? [];
    expect(interrupted).toMatchObject({
      status: 'aborted',
      reason: 'crash',
      parts: [
        { type: 'text', text: 'Half an ans' },
        { ...call, state: 'interrupted' },
        { ...call, state: 'expired' },
      ],
    });
    expect(await folder.sql('SELECT * FROM part_delta')).toEqual([]);
    expect(await two.claimRun(id)).toEqual({ kind: 'granted', fence: fence + 1 });
  });

  it('of a window that lives is not touched by another window that starts', async () => {
    const one = await folder.open();
    const id = await create(one);
    const fence = await startRun(one, id);
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await folder.open();
    expect((await one.reader.readConversation(id))?.page.messages[0]?.status).toBe('streaming');
    expect(await write(one, id, { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: 'goes on' }, fence)).toBe(
      'written',
    );
  });

  it('that was ended by another window writes nothing more', async () => {
    const one = await folder.open();
    const id = await create(one);
    const fence = await startRun(one, id);
    await write(one, id, { type: 'message_added', message: answer }, fence);
    const other = await Connection.open(join(folder.path, 'holdfast.db'), 'existing');
    await other.exclusive((statements) => statements.run(`UPDATE run SET state = 'ended'`));
    await other.close();
    expect(await write(one, id, { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: 'late' }, fence)).toBe(
      'fenced',
    );
    expect(await folder.sql('SELECT * FROM part_delta')).toEqual([]);
  });

  it('of another machine is never taken for dead', async () => {
    const one = await folder.open('another-machine');
    const id = await create(one);
    await startRun(one, id);
    await folder.crash(one);
    const two = await folder.open();
    expect((await two.claimRun(id)).kind).toBe('elsewhere');
  });
});

describe('lists', () => {
  it('hold the conversations of one folder, newest first, with what was last said', async () => {
    const store = await folder.open();
    const [first, second] = [await create(store), await create(store)];
    await store.write({ conversationId: first, at: 99_000, change: { type: 'message_added', message: message(1) } });
    const other = newConversation();
    await write(store, other, {
      type: 'conversation_created',
      conversation: { id: other, kind: 'chat', title: '', createdAt: 1 },
      workspace: { key: 'file:///other', name: 'other' },
    });
    const list = await store.reader.listConversations(WORKSPACE.key);
    expect(list.map((each) => [each.id, each.messageCount, each.lastUserText])).toEqual([
      [first, 1, 'message 1'],
      [second, 0, undefined],
    ]);
    expect(await store.reader.newestConversation(WORKSPACE.key)).toBe(first);
  });
});

describe('what is kept beside the messages', () => {
  it('a long result stands in a table of its own, once, and comes back whole', async () => {
    const store = await folder.open();
    const id = await create(store);
    const content = '数据库🏷'.repeat(15_000);
    const part = { type: 'tool', name: 't', arguments: {}, state: 'done', result: { content, summary: 's' } } as const;
    await write(store, id, { type: 'message_added', message: message(1, { role: 'assistant', parts: [part, part] }) });
    expect((await store.reader.readConversation(id))?.page.messages[0]?.parts).toEqual([part, part]);
    expect(await folder.sql('SELECT count(*) AS n FROM blob')).toEqual([{ n: 1 }]);
    expect(await folder.sql('SELECT max(length(data)) < 200 AS short FROM part')).toEqual([{ short: 1 }]);
    await folder.sql('DELETE FROM blob');
    expect((await store.reader.readConversation(id))?.page.messages[0]?.parts[0]).toMatchObject({
      result: { content: '(This result is missing from the history file.)' },
    });
  });

  it('the queue and the draft outlive the window; a message that is sent leaves the queue', async () => {
    const one = await folder.open();
    const id = await create(one);
    const queued = (id: string) => ({ clientId: id as ClientId, text: `text of ${id}`, createdAt: 7 });
    const [first, second] = [queued('c1'), queued('c2')];
    for (const each of [first, second]) await write(one, id, { type: 'message_queued', ...each });
    await write(one, id, { type: 'draft_set', text: 'half a thou', at: 3 });
    await write(one, id, { type: 'draft_set', text: 'half a thought', at: 4 });
    await folder.crash(one);
    const two = await folder.open();
    const stored = await two.reader.readConversation(id);
    expect(stored?.queue).toEqual([first, second]);
    expect(stored?.draft).toEqual({ text: 'half a thought', at: 4 });
    await write(two, id, { type: 'message_added', message: message(1, { clientId: first.clientId }) });
    expect((await two.reader.readConversation(id))?.queue).toEqual([second]);
  });

  it('changes that were refused are counted for their conversation, over restarts', async () => {
    const one = await folder.open();
    const [id, other] = [await create(one), await create(one)];
    await write(one, id, { type: 'message_added', message: message(2 ** 24) });
    await folder.crash(one);
    const two = await folder.open();
    expect((await two.reader.readConversation(id))?.rejected).toBe(1);
    expect((await two.reader.readConversation(other))?.rejected).toBe(0);
  });
});

describe('a fork', () => {
  it('has the mode, and no call that could still run; what was changed in files belongs to the conversation it came from', async () => {
    const store = await folder.open();
    const id = await create(store);
    const states = ['done', 'awaiting_approval', 'pending', 'running', 'denied'] as const;
    const parts = states.map((state) => ({ type: 'tool', name: 't', arguments: {}, state }) as const);
    const version = { path: '/w/a', before: undefined, after: { bytes: Uint8Array.of(1), mode: 0o644 } };
    await write(store, id, { type: 'mode_set', mode: 'auto_edit' });
    await write(store, id, { type: 'message_added', message: message(1, { role: 'assistant', parts }) });
    await write(store, id, { type: 'file_version_set', seq: 1, idx: 0, version, state: 'applied' });
    const fork = newConversation();
    const conversation = { id: fork, kind: 'chat', title: 'Fork', createdAt: 1 } as const;
    await write(store, fork, {
      type: 'conversation_forked',
      conversation,
      workspace: WORKSPACE,
      from: id,
      throughSeq: 1,
    });
    const stored = await store.reader.readConversation(fork);
    expect(stored).toMatchObject({ mode: 'auto_edit', suspended: false });
    const copied = await folder.sql(`SELECT state FROM part WHERE id > 2 * 4294967296 ORDER BY id`);
    expect(copied.map(({ state }) => state)).toEqual(['done', 'expired', 'expired', 'interrupted', 'denied']);
    expect(await store.reader.readFileVersions(fork, 1, 1)).toEqual([]);
  });
});
