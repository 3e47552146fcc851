import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId, ConversationId } from '../../src/protocol/ids';
import type { Part } from '../../src/protocol/part';
import { silentLog } from '../../src/extension/base/log';
import type { Change } from '../../src/extension/storage/change';
import { Connection } from '../../src/extension/storage/connection';
import { Store } from '../../src/extension/storage/store';
import { Ledger } from './ledger';
import { ackOf } from './print';
import type { Invariant } from './problem';
import { verify } from './verify';

const ID = '01J00000000000000000000000' as ConversationId;
const CREATED: Change = {
  type: 'conversation_created',
  conversation: { id: ID, kind: 'chat', title: '', createdAt: 1 },
  workspace: { key: 'file:///w', name: 'w' },
};
const CALL: Part = { type: 'tool', name: 'note', arguments: { text: '🧪' }, state: 'running' };
const DONE: Part = { ...CALL, state: 'done', result: { content: 'noted' } };
const CHANGES: readonly Change[] = [
  CREATED,
  { type: 'run_started', fence: 1 },
  {
    type: 'message_added',
    message: {
      seq: 1,
      role: 'user',
      status: 'done',
      clientId: 'c' as ClientId,
      createdAt: 1,
      parts: [{ type: 'text', text: 'Why?' }],
    },
  },
  { type: 'message_added', message: { seq: 2, role: 'assistant', status: 'streaming', createdAt: 1, parts: [] } },
  { type: 'part_set', seq: 2, idx: 0, part: { type: 'text', text: '' } },
  { type: 'delta', seq: 2, idx: 0, chunk: 0, at: 0, text: '数据库 ' },
  { type: 'delta', seq: 2, idx: 0, chunk: 1, at: 4, text: '🧪' },
  { type: 'part_set', seq: 2, idx: 1, part: CALL },
  { type: 'part_set', seq: 2, idx: 1, part: DONE },
  { type: 'message_ended', seq: 2, end: { status: 'done', endedAt: 2 } },
  { type: 'message_added', message: { seq: 3, role: 'assistant', status: 'streaming', createdAt: 1, parts: [CALL] } },
  { type: 'permission_granted', rule: { kind: 'files', pattern: 'src/**' } },
  {
    type: 'file_version_set',
    seq: 3,
    idx: 0,
    version: { path: '/w/a', before: undefined, after: { bytes: Uint8Array.of(1, 2), mode: 0o644 } },
    state: 'applied',
  },
];

describe('the verdict of the torture', () => {
  let folder: string;
  let ledger: Ledger;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-verdict-'));
    ledger = new Ledger();
    const store = new Store(folder, 'the-machine', silentLog);
    await store.start();
    for (const change of CHANGES) {
      const fence = change.type === 'conversation_created' || change.type === 'run_started' ? {} : { fence: 1 };
      const command = { conversationId: ID, at: 1, change, ...fence };
      expect(await store.write(command)).toBe('written');
      ledger.acknowledged('w1.1', ackOf(command), { at: 0, who: 'w1.1', line: {} });
    }
    // The run is left to recovery, as a window that was killed leaves it.
    await store.close();
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function tamper(...sql: readonly string[]): Promise<void> {
    const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    for (const each of sql) await connection.exclusive((statements) => statements.run(each));
    await connection.close();
  }

  it('is good for a file that holds everything, with the run ended by recovery', async () => {
    expect(await verify(folder, ledger)).toEqual({ problems: [], quickCheck: 'ok', conversations: 1, messages: 3 });
  });

  const message = (seq: number): string => `(SELECT id FROM message WHERE seq = ${seq})`;
  it.each<readonly [string, readonly Invariant[], readonly string[]]>([
    [
      'a conversation is gone',
      ['acknowledgedLost'],
      [
        'DELETE FROM part_delta',
        'DELETE FROM part',
        'DELETE FROM message',
        'DELETE FROM run',
        'DELETE FROM conversation',
      ],
    ],
    [
      'a message is gone',
      ['acknowledgedLost', 'orphans', 'orderFaults', 'unreadable'],
      ['DELETE FROM message WHERE seq = 2'],
    ],
    ['a message is another', ['acknowledgedLost'], [`UPDATE message SET client_id = 'd' WHERE seq = 1`]],
    ['an end is another', ['acknowledgedLost'], [`UPDATE message SET status = 'aborted' WHERE seq = 2`]],
    ['a chunk is gone', ['acknowledgedLost'], ['DELETE FROM part_delta WHERE chunk = 1']],
    ['text is another', ['acknowledgedLost'], [`UPDATE part SET data = '{"text":"Who?"}' WHERE id = ${message(1)}`]],
    [
      'a result is gone',
      ['acknowledgedLost'],
      [`UPDATE part SET data = json_remove(data, '$.result') WHERE id = ${message(2)} + 1`],
    ],
    [
      'a call went backwards',
      ['acknowledgedLost', 'fenceFaults'],
      [`UPDATE part SET state = 'running' WHERE id = ${message(2)} + 1`],
    ],
    ['a run is gone', ['acknowledgedLost', 'fenceFaults'], ['DELETE FROM run']],
    ['a permission is gone', ['acknowledgedLost'], ['DELETE FROM permission']],
    ['a version of a file is gone', ['acknowledgedLost'], ['DELETE FROM file_version']],
    ['its bytes are gone', ['acknowledgedLost', 'orphans'], ['DELETE FROM blob']],
    ['its bytes are others', ['acknowledgedLost'], [`UPDATE blob SET data = x'00'`]],
    ['a change was refused', ['rejected'], [`INSERT INTO rejected (at, error, change) VALUES (1, 'e', '{}')`]],
  ])('is bad when %s', async (_, invariants, sql) => {
    await tamper(...sql);
    const { problems } = await verify(folder, ledger);
    expect(new Set(problems.map(({ invariant }) => invariant))).toEqual(new Set(invariants));
  });
});
