import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anyApproval, anyCall } from '../../../../test/support/storage/callParts';
import { createConversation, message, StoreFolder, write } from '../../../../test/support/storage/storeFolder';
import type { ToolPart } from '../../../protocol/part';
import { partFrom } from './decode';
import { partColumns } from './encode';

/** What is read of a part's row after `damage` was done to its JSON. */
function readBack(part: ToolPart, damage: (data: Record<string, unknown>) => void = () => undefined) {
  const { type, state, data, blob, image } = partColumns(part);
  const stored = JSON.parse(data) as Record<string, unknown>;
  damage(stored);
  const blobs = { blob: blob?.hash ?? null, blob_data: blob?.data ?? null, image_data: image?.data ?? null };
  return partFrom({ type, state, data: JSON.stringify(stored), ...blobs }, []);
}

const WAITING: ToolPart = {
  type: 'tool',
  name: 'run_command',
  arguments: { command: 'npm test' },
  state: 'awaiting_approval',
  approval: {
    id: 'r',
    askedAt: 1,
    subject: { kind: 'command', command: 'npm test', folder: '.', shell: 'sh' },
    reasons: ['mode'],
    grants: [{ kind: 'answer' }],
    digest: 'd',
  },
};

describe('a call in the file', () => {
  let folder: StoreFolder;

  beforeEach(async () => {
    folder = await StoreFolder.make();
  });

  afterEach(() => folder.remove());

  it('is read as it was written, with what was asked, answered, changed and printed', () => {
    const asWritten = fc.property(anyCall, (part) => {
      expect(readBack(part)).toEqual(part);
    });
    fc.assert(asWritten, { numRuns: 1_000 });
  });

  it('is so from SQLite, too, written whole or changed later', async () => {
    const store = await folder.open();
    const id = await createConversation(store);
    const parts = fc.sample(anyCall, { numRuns: 200, seed: 5 });
    const half = parts.map((part, index) => (index % 2 === 0 ? part : WAITING));
    await write(store, id, { type: 'message_added', message: message(1, { role: 'assistant', parts: half }) });
    for (const [idx, part] of parts.entries())
      if (idx % 2 !== 0) await write(store, id, { type: 'part_set', seq: 1, idx, part });
    expect((await store.reader.readConversation(id))?.page.messages[0]?.parts).toEqual(parts);
  });

  it('loses a field that is damaged, and nothing else', () => {
    const fields = ['effects', 'approval', 'answer', 'change', 'output', 'result'] as const;
    const damage = fc.record({ part: anyCall, field: fc.constantFrom(...fields), value: fc.jsonValue() });
    fc.assert(
      fc.property(damage, ({ part, field, value }) => {
        const read = readBack(part, (data) => (data[field] = value));
        const { [field]: _, ...rest } = part;
        const waits = field === 'approval' && part.state === 'awaiting_approval';
        expect(read).toMatchObject(waits ? { ...rest, state: 'expired' } : rest);
      }),
    );
  });

  it('waits for leave only as long as what it asks for can be read exactly: else it has expired', () => {
    expect(readBack(WAITING)).toEqual(WAITING);
    const damages: readonly ((approval: Record<string, unknown>) => void)[] = [
      (approval) => delete approval['id'],
      (approval) => (approval['id'] = ''),
      (approval) => delete approval['digest'],
      (approval) => (approval['reasons'] = ['mode', 'a reason of a later build']),
      (approval) => (approval['grants'] = [{ kind: 'rule', rule: { kind: 'program', words: [], exact: false } }]),
      (approval) => (approval['grants'] = [{ kind: 'always' }]),
      (approval) => (approval['subject'] = { kind: 'command', command: ['npm', 'test'], folder: '.', shell: 'sh' }),
      (approval) => (approval['subject'] = { kind: 'teleport' }),
    ];
    for (const damage of damages) {
      const read = readBack(WAITING, (data) => damage(data['approval'] as Record<string, unknown>));
      const { approval: _, ...rest } = WAITING;
      expect(read).toEqual({ ...rest, state: 'expired' });
    }
  });

  it('whatever stands in its place is never taken for leave', () => {
    fc.assert(
      fc.property(anyApproval, fc.jsonValue(), (approval, answer) => {
        const read = readBack({ ...WAITING, approval }, (data) => (data['answer'] = answer));
        expect(read).toMatchObject({ state: 'awaiting_approval', approval });
      }),
    );
  });
});
