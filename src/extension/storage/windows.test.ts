import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConversationId } from '../../protocol/ids';
import { HOST, WORKSPACE } from '../../../test/support/windows/openWindow';
import { WindowProgram, type WindowProcess } from '../../../test/support/windows/windowProcess';
import { pause, systemClock } from '../base/clock';
import { BUSY_TIMEOUT_MS } from '../base/limits';
import { silentLog } from '../base/log';
import type { Command } from './change';
import { Connection, type SqlRow } from './connection';
import { Store } from './store';

const VERSION_1 = join(import.meta.dirname, '../../../test/fixtures/history/v1.db');

const LONG = { timeout: 120_000 };

let program: WindowProgram;
let folder: string;

beforeAll(async () => {
  program = await WindowProgram.build();
});

afterAll(() => program.dispose());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-windows-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function creating(id: ConversationId): Command {
  const conversation = { id, kind: 'chat', title: `Of ${id}`, createdAt: 1 } as const;
  return { conversationId: id, at: 1, change: { type: 'conversation_created', conversation, workspace: WORKSPACE } };
}

function adding(id: ConversationId, seq: number): Command {
  const parts = [{ type: 'text', text: `message ${seq}` }] as const;
  const message = { seq, role: 'user', status: 'done', createdAt: 1, parts } as const;
  return { conversationId: id, at: seq, change: { type: 'message_added', message } };
}

function newConversation(): ConversationId {
  return ulid() as ConversationId;
}

async function rows(sql: string, inFolder = folder): Promise<readonly SqlRow[]> {
  const connection = await Connection.open(join(inFolder, 'holdfast.db'), 'existing');
  const result = await connection.exclusive((statements) => statements.all(sql));
  await connection.close();
  return result;
}

// C01
describe('Two windows', () => {
  it('keep the conversations of both, however they take turns', async () => {
    const windows = await program.windows(2, folder);
    for (let turn = 0; turn < 50; turn += 1) {
      const ids = windows.map(newConversation);
      const outcomes = await Promise.all(
        windows.map((window, index) => window.do('write', [creating(ids[index]!), adding(ids[index]!, 1)])),
      );
      expect(outcomes).toEqual(windows.map(() => ['written', 'written']));
    }
    await Promise.all(windows.map((window) => window.close()));
    const later = new Store(folder, HOST, silentLog);
    const list = await later.reader.listConversations(WORKSPACE.key);
    await later.close();
    expect(list).toHaveLength(100);
    expect(list.every(({ messageCount }) => messageCount === 1)).toBe(true);
    expect(await rows('SELECT count(*) AS n FROM conversation')).toEqual([{ n: 100 }]);
  });
});

// C07
describe('Many windows', () => {
  it('lose nothing when ten write at once and another keeps taking the lock', LONG, async () => {
    const messages = 40;
    const windows = await program.windows(10, folder);
    const [locker] = await program.windows(1, folder);
    const told = async () => Promise.all(windows.map((window) => window.do('told')));
    await locker!.do('lock');
    const ids = windows.map(newConversation);
    const writing = windows.map((window, index) => {
      const id = ids[index]!;
      const commands = Array.from({ length: messages }, (_, place) => adding(id, place + 1));
      return window.do('writeSlowly', [creating(id), ...commands], 40);
    });
    // SQLite itself waits a while for a lock. This one stays until every window has failed and must try again.
    await vi.waitFor(async () => expect((await told()).map((lines) => lines.length)).not.toContain(0), LONG);
    await locker!.do('unlock');
    for (let turn = 0; turn < 5; turn += 1) {
      await pause(systemClock, 100);
      await locker!.do('lock');
      await pause(systemClock, 2 * BUSY_TIMEOUT_MS);
      await locker!.do('unlock');
    }
    const outcomes = await Promise.all(writing);
    expect(outcomes.flat().filter((outcome) => outcome !== 'written')).toEqual([]);
    expect(new Set((await told()).flat())).toEqual(new Set(['Another window is writing to the history file.']));
    await Promise.all([...windows, locker!].map((window) => window.close()));

    const counts = await rows('SELECT count(*) AS n, max(seq) AS last FROM message GROUP BY conversation');
    expect(counts).toEqual(ids.map(() => ({ n: messages, last: messages })));
    expect(await rows('SELECT * FROM rejected')).toEqual([]);
    expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });
});

// C08
describe('Windows', () => {
  it.each([
    ['no file at all', undefined],
    ['a file of the first version', VERSION_1],
  ])('that start at once on %s: one brings it up to date, and all start', async (_, fixture) => {
    const alone = await mkdtemp(join(tmpdir(), 'holdfast-alone-'));
    if (fixture !== undefined) {
      await copyFile(fixture, join(folder, 'holdfast.db'));
      await copyFile(fixture, join(alone, 'holdfast.db'));
    }
    const windows: readonly WindowProcess[] = await Promise.all(
      Array.from({ length: 5 }, () => program.window(folder)),
    );
    expect(await Promise.all(windows.map((window) => window.do('start')))).toEqual(windows.map(() => undefined));
    const written = await Promise.all(windows.map((window) => window.do('write', [creating(newConversation())])));
    expect(written).toEqual(windows.map(() => ['written']));
    await Promise.all(windows.map((window) => window.close()));

    // SQLite counts the changes of the schema: as many as one window makes alone.
    const [one] = await program.windows(1, alone);
    await one!.close();
    for (const pragma of ['PRAGMA schema_version', 'PRAGMA user_version', 'PRAGMA auto_vacuum', 'PRAGMA journal_mode'])
      expect(await rows(pragma)).toEqual(await rows(pragma, alone));
    expect(await rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await rm(alone, { recursive: true });
  });
});
