import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createConversation,
  message,
  startRun,
  StoreFolder,
  write,
} from '../../../../test/support/storage/storeFolder';
import type { ClientId, ConversationId } from '../../../protocol/ids';
import type { Change } from '../change';
import type { Store } from '../store';

let folders: StoreFolder[];

beforeEach(() => {
  folders = [];
});

afterEach(async () => {
  for (const folder of folders) await folder.remove();
});

async function newFolder(): Promise<StoreFolder> {
  const folder = await StoreFolder.make();
  folders.push(folder);
  return folder;
}

const NASTY = 'a\u0000b "quoted" \'single\' \\ 数据库 🏷 \ud83c';

const CHANGES: readonly Change[] = [
  { type: 'message_queued', clientId: 'c1' as ClientId, text: NASTY, createdAt: 1 },
  {
    type: 'message_added',
    message: message(1, { clientId: 'c1' as ClientId, parts: [{ type: 'text', text: NASTY }] }),
  },
  { type: 'message_added', message: message(2, { role: 'assistant', status: 'streaming', model: 'm', parts: [] }) },
  { type: 'part_set', seq: 2, idx: 0, part: { type: 'thinking', text: '', startedAt: 1 } },
  { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: NASTY },
  { type: 'part_set', seq: 2, idx: 0, part: { type: 'thinking', text: NASTY, startedAt: 1, endedAt: 2 } },
  {
    type: 'part_set',
    seq: 2,
    idx: 1,
    part: { type: 'tool', name: 't', arguments: { a: NASTY }, state: 'done', result: { content: 'x'.repeat(70_000) } },
  },
  {
    type: 'part_set',
    seq: 2,
    idx: 1,
    part: {
      type: 'tool',
      name: 't',
      arguments: {},
      state: 'done',
      result: { content: NASTY, image: { mediaType: 'image/png', bytes: 3, data: 'AAEC' } },
    },
  },
  { type: 'part_set', seq: 2, idx: 1, part: { type: 'unknown', originalType: 'audio', json: '{"hz": 440}' } },
  { type: 'part_set', seq: 2, idx: 2, part: { type: 'text', text: 'Half' } },
  { type: 'delta', seq: 2, idx: 2, chunk: 0, at: 4, text: ` and ${NASTY}` },
];

const TABLES = ['message', 'part', 'part_delta', 'queued', 'change', 'conversation', 'blob', 'run'];

/** Every row of the file, but for what is random or of the moment. */
async function contents(folder: StoreFolder): Promise<unknown> {
  const tables = await Promise.all(TABLES.map((table) => folder.sql(`SELECT * FROM ${table}`)));
  return tables.map((rows) => rows.map((row) => ({ ...row, ulid: '', owner: '' })));
}

describe('a command', () => {
  it('leaves the same in the file whether it is committed alone or together with others', async () => {
    const [alone, together] = [await newFolder(), await newFolder()];
    const opened: readonly [Store, ConversationId, number][] = await Promise.all(
      [alone, together].map(async (folder): Promise<[Store, ConversationId, number]> => {
        const store = await folder.open();
        const id = await createConversation(store);
        return [store, id, await startRun(store, id)];
      }),
    );
    const [[first, firstId, fence], [second, secondId]] = opened as [(typeof opened)[0], (typeof opened)[0]];
    for (const change of CHANGES) expect(await write(first, firstId, change, fence)).toBe('written');
    expect(await Promise.all(CHANGES.map((change) => write(second, secondId, change, fence)))).toEqual(
      CHANGES.map(() => 'written'),
    );
    expect(await contents(alone)).toEqual(await contents(together));
  });

  it('that comes alone is refused, set aside or kept back as one that comes with others', async () => {
    const folder = await newFolder();
    const [one, two] = [await folder.open(), await folder.open()];
    const id = await createConversation(one);
    const fence = await startRun(one, id);
    const added = { type: 'message_added', message: message(1) } as const;
    expect(await write(two, id, added, fence)).toBe('fenced');
    expect(await write(one, id, { type: 'delta', seq: 1, idx: 0, chunk: 0, at: 0, text: 'x' }, fence + 1)).toBe(
      'fenced',
    );
    expect(await write(one, id, added, fence)).toBe('written');
    expect(await write(one, id, added, fence)).toBe('rejected');
    expect(await folder.sql('SELECT count(*) AS n FROM rejected')).toEqual([{ n: 1 }]);
    expect(await folder.sql('SELECT count(*) AS n FROM message')).toEqual([{ n: 1 }]);
    expect(await folder.sql('SELECT count(*) AS n FROM part_delta')).toEqual([{ n: 0 }]);
  });
});
