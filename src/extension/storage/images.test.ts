import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversation, message, StoreFolder, write } from '../../../test/support/storage/storeFolder';
import type { Part } from '../../protocol/part';
import { PAGE_IMAGE_BYTES } from '../base/limits';

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

function image(bytes: number, fill: number): Part {
  const data = Buffer.alloc(bytes, fill).toString('base64');
  return { type: 'attachment', kind: 'image', name: `${fill}.png`, mediaType: 'image/png', bytes, data };
}

describe('images in the file', () => {
  it('do not fill a page as words do, but as much of them is not read at once either', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    for (const seq of [1, 2, 3])
      await write(store, id, { type: 'message_added', message: message(seq, { parts: [image(10, seq)] }) });
    await folder.sql(`UPDATE blob SET data = zeroblob(${PAGE_IMAGE_BYTES / 2})`);
    const page = (await store.reader.readConversation(id))?.page;
    expect(page?.messages.map(({ seq }) => seq)).toEqual([2, 3]);
    expect(page?.hasOlder).toBe(true);
    expect((await store.reader.readOlderPage(id, 2)).messages.map(({ seq }) => seq)).toEqual([1]);
  });

  it('that are damaged are kept as they stand, beside the words of their message', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    const words: Part = { type: 'text', text: 'Look' };
    await write(store, id, { type: 'message_added', message: message(1, { parts: [words, image(10, 1)] }) });
    await folder.sql(`UPDATE part SET data = '{"kind":"film"}' WHERE type = 'attachment'`);
    expect((await store.reader.readConversation(id))?.page.messages[0]?.parts).toEqual([
      words,
      { type: 'unknown', originalType: 'attachment', json: '{"kind":"film"}' },
    ]);
  });
});
