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

  it('that calls read stand beside their part as bytes, with a long text of the result, too, and fill a page as others do', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    const bytes = Buffer.from([0, 1, 254, 255]);
    const image = { mediaType: 'image/png', bytes: bytes.length, data: bytes.toString('base64') };
    const parts = ['An image.', 'x'.repeat(70_000)].map((content): Part => ({
      type: 'tool',
      name: 'read_file',
      arguments: {},
      state: 'done',
      result: { content, image },
    }));
    const read = async () => (await store.reader.readConversation(id))?.page;
    for (const seq of [1, 2, 3])
      await write(store, id, { type: 'message_added', message: message(seq, { role: 'assistant', parts }) });
    expect((await read())?.messages.map((each) => each.parts)).toEqual([parts, parts, parts]);
    expect(await folder.sql(`SELECT count(*) AS n FROM part WHERE instr(data, '${image.data}') > 0`)).toEqual([
      { n: 0 },
    ]);
    expect(await folder.sql(`SELECT count(*) AS n FROM blob WHERE octet_length(data) = 4`)).toEqual([{ n: 1 }]);
    await folder.sql(`UPDATE blob SET data = zeroblob(${PAGE_IMAGE_BYTES / 4}) WHERE octet_length(data) = 4`);
    expect((await read())?.messages.map(({ seq }) => seq)).toEqual([2, 3]);
  });

  it('that calls read stay when their part is written anew without its bytes, and cost only themselves when they are gone', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    const { data, ...shown } = { mediaType: 'image/png', bytes: 3, data: 'AAEC' };
    const part = (image: object): Part => ({
      type: 'tool',
      name: 'read_file',
      arguments: {},
      state: 'done',
      result: { content: 'An image.', image: { ...shown, ...image } },
    });
    const read = async () => (await store.reader.readConversation(id))?.page.messages[0]?.parts;
    await write(store, id, {
      type: 'message_added',
      message: message(1, { role: 'assistant', parts: [part({ data })] }),
    });
    await write(store, id, { type: 'part_set', seq: 1, idx: 0, part: part({}) });
    expect(await read()).toEqual([part({ data })]);
    await folder.sql('DELETE FROM blob');
    expect(await read()).toEqual([part({})]);
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
