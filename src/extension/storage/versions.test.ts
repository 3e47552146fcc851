import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversation, message, StoreFolder, write } from '../../../test/support/storage/storeFolder';
import { NEWEST_VERSION } from './migrations/all';

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

const NEWER_SENTENCE =
  'A newer Holdfast in another window updated the history file. Copy what is not saved, then reload this window.';

describe('a file that a newer build migrated', () => {
  it('is read but not written by a window that opens it', async () => {
    const first = await folder.open();
    const id = await createConversation(first);
    await write(first, id, { type: 'message_added', message: message(1) });
    await folder.crash(first);
    await folder.sql(`PRAGMA user_version = ${NEWEST_VERSION + 1}`);
    const store = folder.add();
    expect((await store.start())?.sentence).toBe(NEWER_SENTENCE);
    expect((await store.reader.readConversation(id))?.page.messages).toEqual([message(1)]);
    void write(store, id, { type: 'message_added', message: message(2) });
    await expect.poll(() => store.failure?.error.sentence).toBe(NEWER_SENTENCE);
    expect(await folder.sql('SELECT count(*) AS n FROM message')).toEqual([{ n: 1 }]);
    await folder.crash(store);
  });

  it('is written on by a window that had it open, as long as `min_writer` allows it', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    await folder.sql(`PRAGMA user_version = ${NEWEST_VERSION + 1}`);
    expect(await write(store, id, { type: 'message_added', message: message(1) })).toBe('written');
  });

  it.each([
    ['says so', String(NEWEST_VERSION + 1)],
    ['cannot be read', 'later'],
  ])('is not written any more once `min_writer` %s; what waits is written when it may be again', async (_, least) => {
    const store = await folder.open();
    const id = await createConversation(store);
    await folder.sql(`UPDATE meta SET value = '${least}' WHERE key = 'min_writer'`);
    const waits = write(store, id, { type: 'message_added', message: message(1) });
    await expect.poll(() => store.failure?.error.sentence).toBe(NEWER_SENTENCE);
    expect(await folder.sql('SELECT count(*) AS n FROM message')).toEqual([{ n: 0 }]);
    expect((await store.claimRun(id)).kind).toBe('granted'); // Claiming writes nothing yet.
    await folder.sql(`UPDATE meta SET value = '1' WHERE key = 'min_writer'`);
    store.retryNow();
    expect(await waits).toBe('written');
  });
});
