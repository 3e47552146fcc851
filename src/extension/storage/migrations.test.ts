import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DAMAGED,
  FIXTURE,
  FIXTURE_HOST,
  FORK,
  FORK_DRAFT,
  FORK_QUEUE,
  GARDEN,
  HARBOUR,
  INTERRUPTED,
  LEAVE,
  LEAVE_RULES,
  LEAVE_VERSIONS,
  ODD,
  PLAIN,
  SUB_AGENT,
  TOOLS,
  type FixtureConversation,
} from '../../../test/support/history/fixtureHistory';
import type { FileState } from '../base/fileVersion';
import { silentLog } from '../base/log';
import { Connection, type SqlRow } from './connection';
import { Store } from './store';
import type { StoredFileState } from './rows/versionRows';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/history');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-migrations-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function rows(sql: string): Promise<readonly SqlRow[]> {
  const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing');
  const result = await connection.exclusive((statements) => statements.all(sql));
  await connection.close();
  return result;
}

async function started(host: string): Promise<Store> {
  const store = new Store(folder, host, silentLog);
  expect(await store.start()).toBeUndefined();
  return store;
}

async function newestVersion(): Promise<number> {
  await (await started('here')).close();
  return Number((await rows('PRAGMA user_version'))[0]?.['user_version']);
}

async function messages(store: Store, { id }: FixtureConversation) {
  return (await store.reader.readConversation(id))?.page.messages;
}

describe('a history file of an older version', () => {
  it('is kept for every version that this build knows, closed cleanly', async () => {
    const versions = Array.from({ length: await newestVersion() }, (_, index) => `v${index + 1}.db`);
    expect((await readdir(FIXTURES)).sort()).toEqual(versions.sort());
  });
});

function versionOf(fixture: string): number {
  return Number(/\d+/.exec(fixture)?.[0]);
}

function asBuffer(state: FileState | undefined) {
  return state && { ...state, bytes: Buffer.from(state.bytes) };
}

const fixtures = (await readdir(FIXTURES)).filter((name) => name.endsWith('.db'));

describe.each(fixtures)('the history file %s', (name) => {
  let store: Store;

  beforeEach(async () => {
    const newest = await newestVersion();
    await rm(join(folder, 'holdfast.db'));
    await copyFile(join(FIXTURES, name), join(folder, 'holdfast.db'));
    expect(await rows('PRAGMA user_version')).toEqual([{ user_version: versionOf(name) }]);
    store = await started(FIXTURE_HOST);
    expect(await rows('PRAGMA user_version')).toEqual([{ user_version: newest }]);
  });

  afterEach(() => store.close());

  it('lists every conversation in its folder, newest first, by its title', async () => {
    const list = async (key: string) => {
      const summaries = await store.reader.listConversations(key);
      return summaries.map(({ title, messageCount, running }) => ({ title, messageCount, running }));
    };
    const summary = ({ title, messages: { length } }: FixtureConversation) => ({
      title,
      messageCount: length,
      running: false,
    });
    expect(await list(HARBOUR.key)).toEqual([summary(INTERRUPTED), summary(TOOLS), summary(PLAIN)]);
    expect(await list(GARDEN.key)).toEqual([summary(ODD)]);
  });

  it('gives words, thinking and calls back as they were written', async () => {
    expect(await messages(store, PLAIN)).toEqual(PLAIN.messages);
    expect(await messages(store, TOOLS)).toEqual(TOOLS.messages);
  });

  it('gives back what had arrived of an answer whose window died, marked interrupted', async () => {
    const [question, answer] = INTERRUPTED.messages;
    const [, running, waiting] = answer!.parts;
    expect(await messages(store, INTERRUPTED)).toEqual([
      question,
      {
        ...answer,
        status: 'aborted',
        reason: 'crash',
        endedAt: expect.any(Number),
        parts: [
          { type: 'text', text: 'There are seven boats, of which three are bl' },
          { ...running, state: 'interrupted', endedAt: expect.any(Number) },
          { ...waiting, state: 'expired', endedAt: expect.any(Number) },
        ],
      },
    ]);
  });

  it('shows what no version knows, and what is damaged, as such, and the rest of the message whole', async () => {
    const [question, answer] = ODD.messages;
    const [unknown, , text] = answer!.parts;
    const damaged = { type: 'unknown', originalType: 'text', json: DAMAGED };
    expect(await messages(store, ODD)).toEqual([question, { ...answer, parts: [unknown, damaged, text] }]);
  });

  it.runIf(versionOf(name) >= 2)(
    'gives back a fork with its queue and draft, and a sub-agent with its life',
    async () => {
      const fork = await store.reader.readConversation(FORK.id);
      expect(fork?.page.messages).toEqual(FORK.messages);
      expect(fork).toMatchObject({ queue: FORK_QUEUE, draft: FORK_DRAFT, rejected: 0 });
      expect(await store.reader.listSubAgents(TOOLS.id)).toEqual([SUB_AGENT]);
    },
  );

  it.runIf(versionOf(name) >= 3)(
    'gives back calls with what was asked and answered, the mode, what was allowed, and files before and after',
    async () => {
      const stored = await store.reader.readConversation(LEAVE.id);
      expect(stored).toMatchObject({ page: { messages: LEAVE.messages }, mode: 'auto_edit', suspended: true });
      const permissions = await store.reader.readPermissions(LEAVE.workspace.key);
      expect(permissions.map(({ rule }) => rule)).toEqual(LEAVE_RULES);
      const versions = await store.reader.readFileVersions(LEAVE.id, 1, 3);
      const bytesOf = async (state: StoredFileState | undefined) =>
        state && { bytes: await store.reader.readVersionBytes(state.hash), mode: state.mode };
      const read = versions.map(async ({ path, state, before, after }) => ({
        version: { path, before: await bytesOf(before), after: await bytesOf(after) },
        state,
      }));
      // The driver gives bytes as a Buffer.
      const written = LEAVE_VERSIONS.map(({ version: { path, before, after }, state }) => ({
        version: { path, before: asBuffer(before), after: asBuffer(after) },
        state,
      }));
      expect(await Promise.all(read)).toEqual(written);
    },
  );

  it('asks before everything in conversations of which it knows no mode, and allows nothing from now on', async () => {
    expect(await store.reader.readConversation(PLAIN.id)).toMatchObject({ mode: 'ask', suspended: false });
    expect(await store.reader.readPermissions(PLAIN.workspace.key)).toEqual([]);
    expect(await store.reader.readFileVersions(TOOLS.id, 1, 9)).toEqual([]);
  });

  it('counts the changes that could not be written for their conversation', async () => {
    expect((await store.reader.readConversation(PLAIN.id))?.rejected).toBe(1);
    expect((await store.reader.readConversation(TOOLS.id))?.rejected).toBe(0);
  });

  it('keeps the changes that could not be written, breaks nothing, and can be written on', async () => {
    expect(await rows('SELECT change FROM rejected')).toEqual([{ change: expect.stringContaining('"Twice"') }]);
    expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const { id } = PLAIN;
    const message = {
      seq: 7,
      role: 'user',
      status: 'done',
      createdAt: 1,
      parts: [{ type: 'text', text: 'On' }],
    } as const;
    expect(await store.write({ conversationId: id, at: 1, change: { type: 'message_added', message } })).toBe(
      'written',
    );
    expect(await messages(store, PLAIN)).toEqual([...PLAIN.messages, message]);
    expect(await rows('SELECT count(*) AS n FROM conversation')).toEqual([
      { n: FIXTURE.length + (versionOf(name) >= 2 ? 2 : 0) + (versionOf(name) >= 3 ? 1 : 0) },
    ]);
  });
});
