import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../../protocol/ids';
import { AskingHistory, allowNext } from '../../../../test/support/windows/askingHistory';
import { MODEL, waiting } from '../../../../test/support/windows/liveTalk';
import { NEWEST_VERSION } from '../../storage/migrations/all';

let history: AskingHistory;

beforeEach(async () => {
  history = await AskingHistory.make();
});

afterEach(() => history.remove());

/** What the next build could do to the file; `leastWriter`: the least version that may go on writing it. */
async function migrateTo(leastWriter: number): Promise<void> {
  await history.shared.sql(
    'BEGIN IMMEDIATE',
    'CREATE TABLE memory (id INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT',
    `ALTER TABLE part ADD COLUMN cited TEXT`,
    `ALTER TABLE queued ADD COLUMN image TEXT`,
    `UPDATE meta SET value = '${leastWriter}' WHERE key = 'min_writer'`,
    `PRAGMA user_version = ${NEWEST_VERSION + 1}`,
    'COMMIT',
  );
}

/** The rows that were written before, as this build knows them. */
async function stored(): Promise<unknown> {
  return [
    await history.shared.sql('SELECT * FROM message'),
    await history.shared.sql('SELECT id, type, state, data FROM part'),
    await history.shared.sql('SELECT client_id, text FROM queued'),
    await history.shared.sql('SELECT conversation, fence, state FROM run'),
  ];
}

describe('a window of this build, when a newer one migrates the file while a call waits for leave', () => {
  it('goes on as if nothing were, when the newer one lets it write', async () => {
    const live = await history.asking(await history.open());
    await migrateTo(NEWEST_VERSION);
    await history.allowAll(live);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    expect(await history.shared.sql('PRAGMA user_version')).toEqual([{ user_version: NEWEST_VERSION + 1 }]);
  });

  it('runs nothing with effects unasked, says that it must be reloaded, and leaves in the file all that was there', async () => {
    const window = await history.open();
    const live = await history.asking(window);
    await live.send(randomUUID() as ClientId, 'Later', MODEL);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    const saved = await stored();
    await migrateTo(NEWEST_VERSION + 1);
    const first = await allowNext(live);
    const again = await waiting(live, first);
    expect(again.reasons).toContain('unsaved');
    expect(live.status.save).toMatchObject({ kind: 'unsaved', why: expect.stringContaining('reload this window') });
    expect(history.folder.done).toEqual([]);
    expect(await stored()).toEqual(saved);

    await history.shared.sql(`UPDATE meta SET value = '1' WHERE key = 'min_writer'`);
    window.store.retryNow();
    expect(live.unqueue(live.status.queue[0]!.clientId)).toEqual({ ok: true });
    await history.allowAll(live);
    await expect.poll(() => live.status.save.kind, { timeout: 5_000 }).toBe('saved');
    // For a window of this build that knows nothing but the file.
    await history.shared.sql(`PRAGMA user_version = ${NEWEST_VERSION}`);
    expect(await history.faults(live)).toEqual([]);
  });
});
