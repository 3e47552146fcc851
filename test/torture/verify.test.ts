import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId, ConversationId } from '../../src/protocol/ids';
import type { Part, ToolPart } from '../../src/protocol/part';
import type { ApprovalRequest } from '../../src/protocol/approval';
import { silentLog } from '../../src/extension/base/log';
import type { Change, ConversationCreated } from '../../src/extension/storage/change';
import { digestOf } from '../../src/extension/tools/permissions/digest';
import { subjectOf } from '../../src/extension/tools/permissions/subject';
import { Connection } from '../../src/extension/storage/connection';
import { Store } from '../../src/extension/storage/store';
import { commandAction } from '../support/tools/actions';
import { Ledger } from './ledger';
import type { MarkedCall } from './lines';
import { ackOf } from './print';
import type { Invariant } from './problem';
import { verify, type Verified } from './verify';

const ID = '01J00000000000000000000000' as ConversationId;
const CREATED: ConversationCreated = {
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

/** A second conversation, in which a call waits for leave behind one that was denied and one that was made. */
const WAITING_ID = '01J00000000000000000000001' as ConversationId;
const action = commandAction('make waits');
const REQUEST: ApprovalRequest = {
  id: 'request',
  askedAt: 1,
  subject: subjectOf(action),
  reasons: ['mode'],
  grants: [],
  digest: digestOf({ kind: 'ready', action, run: () => Promise.resolve({ ok: true, content: '', summary: '' }) }),
};
const DENIED = callOf('denied', { state: 'denied', approval: { ...REQUEST, id: 'another' }, answer: { kind: 'deny' } });
const MADE = callOf('made', { state: 'running', effects: true });
const WAITS = callOf('waits', { state: 'awaiting_approval', approval: REQUEST });
const WAITING: readonly Change[] = [
  { ...CREATED, conversation: { ...CREATED.conversation, id: WAITING_ID, model: 'torture:1b' } },
  { type: 'run_started', fence: 1 },
  {
    type: 'message_added',
    message: { seq: 1, role: 'user', status: 'done', createdAt: 1, parts: [{ type: 'text', text: 'Make it.' }] },
  },
  { type: 'message_added', message: { seq: 2, role: 'assistant', status: 'streaming', createdAt: 1, parts: [] } },
  { type: 'part_set', seq: 2, idx: 0, part: DENIED },
  { type: 'part_set', seq: 2, idx: 1, part: MADE },
  { type: 'part_set', seq: 2, idx: 1, part: { ...MADE, state: 'done', result: { content: 'made' } } },
  { type: 'part_set', seq: 2, idx: 2, part: WAITS },
];

function callOf(mark: string, part: Omit<ToolPart, 'type' | 'name' | 'arguments'>): ToolPart {
  return { type: 'tool', name: 'run', arguments: { mark, count: 9, text: '' }, ...part };
}

function markedCall(mark: string): MarkedCall {
  return { conversation: WAITING_ID, mark, command: `make ${mark}` };
}

describe('the verdict of the torture', () => {
  let folder: string;
  let ledger: Ledger;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-verdict-'));
    ledger = new Ledger();
    const store = new Store(folder, 'the-machine', silentLog);
    await store.start();
    for (const [id, changes] of [
      [ID, CHANGES],
      [WAITING_ID, WAITING],
    ] as const) {
      for (const change of changes) {
        const fence = change.type === 'conversation_created' || change.type === 'run_started' ? {} : { fence: 1 };
        const command = { conversationId: id, at: 1, change, ...fence };
        expect(await store.write(command)).toBe('written');
        ledger.acknowledged('w1.1', ackOf(command), { at: 0, who: 'w1.1', line: {} });
      }
    }
    ledger.calls.leaveGiven('w1.1', { ...markedCall('made'), answer: 'allow', unsaved: false });
    expect(ledger.calls.effected('w1.1', markedCall('made'))).toEqual([]);
    // The runs are left to recovery, as a window that was killed leaves them.
    await store.close();
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const verdict = (): Promise<Verified> => verify({ folder, files: folder, ledger });
  const broken = async (): Promise<ReadonlySet<Invariant>> =>
    new Set((await verdict()).problems.map(({ invariant }) => invariant));

  async function tamper(...sql: readonly string[]): Promise<void> {
    const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    for (const each of sql) await connection.exclusive((statements) => statements.run(each));
    await connection.close();
  }

  it('is good for a file that holds everything, with one run ended by recovery and one that waits for an answer', async () => {
    expect(await verdict()).toEqual({
      problems: [],
      quickCheck: 'ok',
      conversations: 2,
      messages: 5,
      answeredAtEnd: 1,
    });
  });

  const message = (seq: number, conversation = 1): string =>
    `(SELECT id FROM message WHERE conversation = ${conversation} AND seq = ${seq})`;
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
      ['DELETE FROM message WHERE conversation = 1 AND seq = 2'],
    ],
    ['a message is another', ['acknowledgedLost'], [`UPDATE message SET client_id = 'd' WHERE seq = 1`]],
    ['an end is another', ['acknowledgedLost'], [`UPDATE message SET status = 'aborted' WHERE id = ${message(2)}`]],
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
    ['a denial is gone', ['acknowledgedLost'], [`UPDATE part SET state = 'expired' WHERE id = ${message(2, 2)}`]],
    [
      'an answer is another',
      ['acknowledgedLost'],
      [`UPDATE part SET data = json_set(data, '$.answer.kind', 'allow') WHERE id = ${message(2, 2)}`],
    ],
    ['a call waits without a run', ['acknowledgedLost', 'fenceFaults'], ['DELETE FROM run WHERE conversation = 2']],
    [
      'a call that waits is not made when it is allowed',
      ['acknowledgedLost', 'waitingFaults'],
      [`UPDATE part SET data = json_set(data, '$.name', 'note') WHERE id = ${message(2, 2)} + 2`],
    ],
    ['a change was refused', ['rejected'], [`INSERT INTO rejected (at, error, change) VALUES (1, 'e', '{}')`]],
  ])('is bad when %s', async (_, invariants, sql) => {
    await tamper(...sql);
    expect(await broken()).toEqual(new Set(invariants));
  });

  /** What is known of a call in the second window, in this order. */
  function begun(mark: string): void {
    const part = callOf(mark, { state: 'running' });
    const change: Change = { type: 'part_set', seq: 2, idx: 1, part };
    const acked = ackOf({ conversationId: WAITING_ID, at: 1, change });
    ledger.calls.acknowledged('w2.1', acked);
  }
  function allowed(mark: string, unsaved = false): void {
    ledger.calls.leaveGiven('w2.1', { ...markedCall(mark), answer: 'allow', unsaved });
  }
  const made = (mark: string): readonly Invariant[] =>
    ledger.calls.effected('w2.1', markedCall(mark)).map(({ invariant }) => invariant);

  it('is bad when a call is made twice', () => {
    begun('made');
    allowed('made');
    expect(made('made')).toEqual(['effectsTwice']);
  });

  it('is bad when a call is made before it is written down that it begins, unless the person allowed just that', () => {
    allowed('waits');
    expect(made('waits')).toEqual(['effectsUnasked']);
    allowed('unsaved', true);
    expect(made('unsaved')).toEqual([]);
  });

  it('is bad when a call is made that nobody allowed', () => {
    begun('waits');
    expect(made('waits')).toEqual(['effectsUnasked']);
  });

  it('is bad when a call is made that was denied', async () => {
    begun('denied');
    allowed('denied');
    expect(made('denied')).toEqual([]);
    expect(await broken()).toContain('ranAfterNo');
  });
});
