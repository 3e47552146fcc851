import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId, ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import { silentLog } from '../base/log';
import type { Change, WriteOutcome } from './change';
import { Connection } from './connection';
import { NEWEST_VERSION } from './migrations/all';
import { Store } from './store';

const WORKSPACE = { key: 'file:///w', name: 'w' };

let folder: string;
let stores: Store[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-store-'));
  stores = [];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function openStore(): Promise<Store> {
  const store = new Store(folder, 'this-machine', silentLog);
  stores.push(store);
  expect(await store.start()).toBeUndefined();
  return store;
}

/** Ends a store the way a crash does: its lock goes, its rows stay. */
async function crash(store: Store): Promise<void> {
  stores = stores.filter((other) => other !== store);
  await store.close();
}

function newConversation(): ConversationId {
  return ulid() as ConversationId;
}

function write(store: Store, conversationId: ConversationId, change: Change, fence?: number): Promise<WriteOutcome> {
  return store.write({ conversationId, change, at: 1_000, ...(fence === undefined ? {} : { fence }) });
}

async function create(store: Store, id = newConversation()): Promise<ConversationId> {
  const conversation = { id, kind: 'chat', title: 'Title', createdAt: 1 } as const;
  await write(store, id, { type: 'conversation_created', conversation, workspace: WORKSPACE });
  return id;
}

function message(seq: number, changes: Partial<Message> = {}): Message {
  return {
    seq,
    role: 'user',
    status: 'done',
    createdAt: 5,
    parts: [{ type: 'text', text: `message ${seq}` }],
    ...changes,
  };
}

async function rows(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing');
  const result = await connection.exclusive((statements) => statements.all(sql));
  await connection.close();
  return result;
}

describe('the database file', () => {
  it('is written by a SQLite without the WAL-reset fault, with incremental vacuum', async () => {
    await openStore();
    const [version] = await rows('SELECT sqlite_version() AS v');
    expect(version).toEqual({ v: '3.53.2' });
    expect(await rows('PRAGMA auto_vacuum')).toEqual([{ auto_vacuum: 2 }]);
    expect(await rows('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await rows('PRAGMA user_version')).toEqual([{ user_version: NEWEST_VERSION }]);
  });

  it('is made once when several windows start at the same time', async () => {
    const five = Array.from({ length: 5 }, () => new Store(folder, 'this-machine', silentLog));
    stores.push(...five);
    expect(await Promise.all(five.map((store) => store.start()))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(await rows('SELECT count(*) AS n FROM meta')).toEqual([{ n: 1 }]);
  });

  it('that is not a database is left alone and named in words', async () => {
    await writeFile(join(folder, 'holdfast.db'), 'not a database, but somebody may want it back'.repeat(100));
    const store = new Store(folder, 'this-machine', silentLog);
    stores.push(store);
    expect((await store.start())?.sentence).toBe('The history file is damaged. It was left as it is.');
  });
});

describe('writing', () => {
  it('gives a conversation back as it was written', async () => {
    const store = await openStore();
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
    const store = await openStore();
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
    expect(await rows('SELECT * FROM part_delta')).toEqual([]);
  });

  it('sets a change aside that can never be written, and goes on with the next', async () => {
    const store = await openStore();
    const id = await create(store);
    const outcomes = await Promise.all([
      write(store, id, { type: 'message_added', message: message(1) }),
      write(store, id, { type: 'message_added', message: message(1) }),
      write(store, newConversation(), { type: 'message_added', message: message(1) }),
      write(store, id, { type: 'message_added', message: message(2 ** 24) }),
      write(store, id, { type: 'message_added', message: message(2) }),
    ]);
    expect(outcomes).toEqual(['written', 'rejected', 'rejected', 'rejected', 'written']);
    expect(await rows('SELECT count(*) AS n FROM rejected')).toEqual([{ n: 3 }]);
  });

  it('keeps what waits while another process holds the lock, and writes it afterwards in order', async () => {
    const store = await openStore();
    const id = await create(store);
    const other = await Connection.open(join(folder, 'holdfast.db'), 'existing');
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
    const store = await openStore();
    const id = await create(store);
    await write(store, id, { type: 'message_added', message: message(1) });
    await write(store, id, { type: 'message_added', message: message(2) });
    const other = await Connection.open(join(folder, 'holdfast.db'), 'existing');
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
});

describe('pages', () => {
  it('lead back to the first message without a hole', async () => {
    const store = await openStore();
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
    const store = await openStore();
    const id = await create(store);
    const long = message(2, { parts: [{ type: 'text', text: 'x'.repeat(600_000) }] });
    await write(store, id, { type: 'message_added', message: message(1) });
    await write(store, id, { type: 'message_added', message: long });
    expect((await store.reader.readConversation(id))?.page).toEqual({ messages: [long], hasOlder: true });
  });
});

describe('a run', () => {
  const answer = message(2, { role: 'assistant', status: 'streaming', parts: [{ type: 'text', text: '' }] });

  async function startRun(store: Store, id: ConversationId): Promise<number> {
    const claim = await store.claimRun(id);
    if (claim.kind !== 'granted') throw new Error(`claim: ${claim.kind}`);
    expect(await write(store, id, { type: 'run_started', fence: claim.fence })).toBe('written');
    return claim.fence;
  }

  it('is not given to a second window while the first lives', async () => {
    const [one, two] = [await openStore(), await openStore()];
    const id = await create(one);
    await startRun(one, id);
    expect((await two.claimRun(id)).kind).toBe('elsewhere');
    expect(await write(two, id, { type: 'run_started', fence: 2 })).toBe('fenced');
    expect(await two.holder(id)).toBe('elsewhere');
    expect(await one.holder(id)).toBe('self');
  });

  it('of a window that is gone is ended: partial text kept, message interrupted, calls closed', async () => {
    const one = await openStore();
    const id = await create(one);
    const fence = await startRun(one, id);
    await write(one, id, { type: 'message_added', message: message(1) }, fence);
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await write(one, id, { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: 'Half an ans' }, fence);
    const call = { type: 'tool', name: 'read_file', arguments: {} } as const;
    await write(one, id, { type: 'part_set', seq: 2, idx: 1, part: { ...call, state: 'running' } }, fence);
    await write(one, id, { type: 'part_set', seq: 2, idx: 2, part: { ...call, state: 'pending' } }, fence);
    await crash(one);

    const two = await openStore();
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
    expect(await rows('SELECT * FROM part_delta')).toEqual([]);
    expect(await two.claimRun(id)).toEqual({ kind: 'granted', fence: fence + 1, closed: false });
  });

  it('of a window that lives is not touched by another window that starts', async () => {
    const one = await openStore();
    const id = await create(one);
    const fence = await startRun(one, id);
    await write(one, id, { type: 'message_added', message: answer }, fence);
    await openStore();
    expect((await one.reader.readConversation(id))?.page.messages[0]?.status).toBe('streaming');
    expect(await write(one, id, { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: 'goes on' }, fence)).toBe(
      'written',
    );
  });

  it('that was ended by another window writes nothing more', async () => {
    const one = await openStore();
    const id = await create(one);
    const fence = await startRun(one, id);
    await write(one, id, { type: 'message_added', message: answer }, fence);
    const other = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    await other.exclusive((statements) => statements.run(`UPDATE run SET state = 'ended'`));
    await other.close();
    expect(await write(one, id, { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: 'late' }, fence)).toBe(
      'fenced',
    );
    expect(await rows('SELECT * FROM part_delta')).toEqual([]);
  });

  it('of another machine is never taken for dead', async () => {
    const one = new Store(folder, 'another-machine', silentLog);
    stores.push(one);
    await one.start();
    const id = await create(one);
    await startRun(one, id);
    await crash(one);
    const two = await openStore();
    expect((await two.claimRun(id)).kind).toBe('elsewhere');
  });
});

describe('lists', () => {
  it('hold the conversations of one folder, newest first, with what was last said', async () => {
    const store = await openStore();
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
