import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversation, message, StoreFolder, write } from '../../../../test/support/storage/storeFolder';
import type { JsonObject } from '../../../protocol/part';
import { Connection } from '../connection';

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

describe('the writer', () => {
  it('sets a change aside that cannot even be said in JSON, and goes on with the next', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    let deep: JsonObject = {};
    for (let depth = 0; depth < 20_000; depth += 1) deep = { deep };
    const part = { type: 'tool', name: 't', state: 'done', arguments: deep } as const;
    const outcomes = await Promise.all([
      write(store, id, { type: 'part_set', seq: 1, idx: 0, part }),
      write(store, id, { type: 'message_added', message: message(1) }),
    ]);
    expect(outcomes).toEqual(['rejected', 'written']);
    expect(await folder.sql(`SELECT change -> '$.change' AS change FROM rejected`)).toEqual([
      { change: '{"type":"part_set"}' },
    ]);
  });

  it('keeps of a part that grew while nothing could be written only what must be written', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    await write(store, id, {
      type: 'message_added',
      message: message(1, { role: 'assistant', status: 'streaming', parts: [{ type: 'text', text: '' }] }),
    });
    const other = await Connection.open(join(folder.path, 'holdfast.db'), 'existing');
    await other.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    const failing = new Promise<void>((resolve) => {
      const stop = store.onFailureChange(() => {
        stop();
        resolve();
      });
    });
    // A second chunk of the same number would be refused.
    const chunk = { type: 'delta', seq: 1, idx: 0, chunk: 0, at: 0, text: 'x' } as const;
    const writes = [write(store, id, chunk)];
    await failing;
    for (let count = 0; count < 50; count += 1) writes.push(write(store, id, chunk));
    writes.push(write(store, id, { type: 'part_set', seq: 1, idx: 0, part: { type: 'text', text: 'whole' } }));
    await other.exclusive((statements) => statements.run('COMMIT'));
    await other.close();
    expect(new Set(await Promise.all(writes))).toEqual(new Set(['written']));
    const stored = await store.reader.readConversation(id);
    expect(stored?.page.messages[0]?.parts).toEqual([{ type: 'text', text: 'whole' }]);
  });
});
