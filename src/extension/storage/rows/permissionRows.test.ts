import * as fc from 'fast-check';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyRule } from '../../../../test/support/storage/callParts';
import { createConversation, StoreFolder, write } from '../../../../test/support/storage/storeFolder';
import type { Rule } from '../../../protocol/approval';
import type { ConversationId } from '../../../protocol/ids';
import type { Store } from '../store';

const HERE = 'file:///w';
const NPM_TEST: Rule = { kind: 'program', words: ['npm', 'test'], exact: false };

let folder: StoreFolder;
let store: Store;
let id: ConversationId;

beforeEach(async () => {
  folder = await StoreFolder.make();
  store = await folder.open();
  id = await createConversation(store);
});

afterEach(() => folder.remove());

async function rules(of: Store = store, workspace = HERE): Promise<readonly Rule[]> {
  return (await of.reader.readPermissions(workspace)).map(({ rule }) => rule);
}

describe('what is allowed from now on', () => {
  it('holds in the workspace, for all its conversations and windows, and in no other workspace', async () => {
    const elsewhere = ulid() as ConversationId;
    const conversation = { id: elsewhere, kind: 'chat', title: '', createdAt: 1 } as const;
    const workspace = { key: 'file:///other', name: 'other' };
    await write(store, elsewhere, { type: 'conversation_created', conversation, workspace });
    await write(store, id, { type: 'permission_granted', rule: NPM_TEST });
    await write(store, elsewhere, { type: 'permission_granted', rule: { kind: 'files', pattern: '**' } });
    const another = await folder.open();
    expect(await another.reader.readPermissions(HERE)).toEqual([
      { id: expect.any(Number), rule: NPM_TEST, createdAt: 1_000 },
    ]);
    expect(await rules(another, 'file:///other')).toEqual([{ kind: 'files', pattern: '**' }]);
    expect(await rules(another, 'file:///nowhere')).toEqual([]);
  });

  it('is there once, however often and in whatever order of its keys it is allowed', async () => {
    await write(store, id, { type: 'permission_granted', rule: NPM_TEST });
    await write(store, id, {
      type: 'permission_granted',
      rule: { exact: false, words: ['npm', 'test'], kind: 'program' },
    });
    await write(await folder.open(), await createConversation(store), { type: 'permission_granted', rule: NPM_TEST });
    await write(store, id, { type: 'permission_granted', rule: { ...NPM_TEST, exact: true } });
    expect(await rules()).toEqual([NPM_TEST, { ...NPM_TEST, exact: true }]);
  });

  it('is read as it was written', async () => {
    const many = [...new Map(fc.sample(anyRule, 200).map((rule) => [JSON.stringify(rule), rule])).values()];
    await Promise.all(many.map((rule) => write(store, id, { type: 'permission_granted', rule })));
    expect(await rules()).toEqual(many);
  });

  it('allows nothing when its row is damaged, and damages no other', async () => {
    for (const pattern of ['a', 'b', 'c', 'd'])
      await write(store, id, { type: 'permission_granted', rule: { kind: 'files', pattern } });
    await folder.sql(`UPDATE permission SET rule = '{"kind":"files"' WHERE rule LIKE '%"a"%'`);
    await folder.sql(`UPDATE permission SET rule = '{"kind":"files","pattern":7}' WHERE rule LIKE '%"b"%'`);
    await folder.sql(`UPDATE permission SET rule = '{"kind":"everything"}' WHERE rule LIKE '%"c"%'`);
    expect(await rules()).toEqual([{ kind: 'files', pattern: 'd' }]);
  });

  it('is allowed no longer once it is revoked, in any window; what is allowed later is never taken for it', async () => {
    await write(store, id, { type: 'permission_granted', rule: NPM_TEST });
    const [listed] = await store.reader.readPermissions(HERE);
    const another = await folder.open();
    await another.revokePermission(listed?.id ?? 0);
    expect(await rules()).toEqual([]);
    await write(store, id, { type: 'permission_granted', rule: { kind: 'tool', tool: 'weather' } });
    // A list that is old by now.
    await store.revokePermission(listed?.id ?? 0);
    expect(await rules()).toEqual([{ kind: 'tool', tool: 'weather' }]);
  });
});

describe('the mode of a conversation', () => {
  const modeOf = async (of: Store) => (await of.reader.readConversation(id))?.mode;

  it('is Ask until another one is chosen, and is kept', async () => {
    expect(await modeOf(store)).toBe('ask');
    await write(store, id, { type: 'mode_set', mode: 'auto_edit' });
    await folder.crash(store);
    expect(await modeOf(await folder.open())).toBe('auto_edit');
  });

  it('is told to other windows', async () => {
    const another = await folder.open();
    await another.feed.poll();
    await write(store, id, { type: 'mode_set', mode: 'auto_edit' });
    expect(await another.feed.poll()).toEqual({
      kind: 'changes',
      changes: [{ conversationId: id, kind: 'conversation' }],
    });
    expect(await another.reader.readUpdate(id, { messages: [], parts: [] })).toMatchObject({ mode: 'auto_edit' });
  });
});
