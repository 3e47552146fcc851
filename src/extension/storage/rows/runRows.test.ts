import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createConversation,
  message,
  startRun,
  StoreFolder,
  write,
} from '../../../../test/support/storage/storeFolder';
import type { ApprovalRequest } from '../../../protocol/approval';
import type { ConversationId } from '../../../protocol/ids';
import type { Part, ToolState } from '../../../protocol/part';
import type { Store } from '../store';

let folder: StoreFolder;

beforeEach(async () => {
  folder = await StoreFolder.make();
});

afterEach(() => folder.remove());

const APPROVAL: ApprovalRequest = {
  id: 'request',
  askedAt: 1,
  subject: { kind: 'command', command: 'npm test', folder: '.', shell: 'sh' },
  reasons: ['mode'],
  grants: [{ kind: 'answer' }],
  digest: 'd',
};
const CALL = { type: 'tool', name: 'run_command', arguments: { command: 'npm test' } } as const;
const WAITING: Part = { ...CALL, state: 'awaiting_approval', approval: APPROVAL };
const PARTS: readonly Part[] = [
  { ...CALL, state: 'done', result: { content: 'ok' } },
  WAITING,
  { ...CALL, state: 'pending' },
];

/** A conversation whose window was closed while a call waited for leave. */
async function suspended(): Promise<{ one: Store; id: ConversationId; fence: number }> {
  const one = await folder.open();
  const id = await createConversation(one);
  const fence = await startRun(one, id);
  const answer = message(1, { role: 'assistant', status: 'streaming', parts: PARTS });
  await write(one, id, { type: 'message_added', message: answer }, fence);
  await write(one, id, { type: 'run_suspended' }, fence);
  return { one, id, fence };
}

async function statesOf(store: Store, id: ConversationId): Promise<readonly (ToolState | undefined)[]> {
  const parts = (await store.reader.readConversation(id))?.page.messages[0]?.parts ?? [];
  return parts.map((part) => (part.type === 'tool' ? part.state : undefined));
}

const runs = () => folder.sql('SELECT fence, state FROM run ORDER BY fence');

describe('a run that waits for an answer', () => {
  it('is nobody’s: every window shows it as it is, and none runs it', async () => {
    const { one, id } = await suspended();
    const two = await folder.open();
    for (const store of [one, two]) {
      expect(await store.holder(id)).toBe('nobody');
      const stored = await store.reader.readConversation(id);
      expect(stored).toMatchObject({ suspended: true, page: { messages: [{ status: 'streaming', parts: PARTS }] } });
    }
    expect((await two.reader.listConversations('file:///w')).map(({ running }) => running)).toEqual([false]);
  });

  it('writes nothing more under its old fence', async () => {
    const { one, id, fence } = await suspended();
    const part: Part = { ...CALL, state: 'running' };
    expect(await write(one, id, { type: 'part_set', seq: 1, idx: 1, part }, fence)).toBe('fenced');
    expect(await write(one, id, { type: 'run_suspended' }, fence)).toBe('fenced');
  });

  it('goes on in whichever window the answer is given, with everything as it was', async () => {
    const { id, fence } = await suspended();
    const two = await folder.open();
    const next = fence + 1;
    expect(await two.claimRun(id)).toEqual({ kind: 'granted', fence: next });
    expect(await runs()).toEqual([{ fence, state: 'suspended' }]);
    expect(await write(two, id, { type: 'run_started', fence: next })).toBe('written');
    expect(await runs()).toEqual([
      { fence, state: 'ended' },
      { fence: next, state: 'live' },
    ]);
    expect(await statesOf(two, id)).toEqual(['done', 'awaiting_approval', 'pending']);
    const running: Part = { ...WAITING, state: 'running', effects: true, answer: { kind: 'allow' } };
    expect(await write(two, id, { type: 'part_set', seq: 1, idx: 1, part: running }, next)).toBe('written');
    expect(await two.holder(id)).toBe('self');
  });

  it('goes on in one window only, though two begin at once', async () => {
    const { one, id, fence } = await suspended();
    const two = await folder.open();
    const claims = await Promise.all([one, two].map((store) => store.claimRun(id)));
    expect(claims.map(({ kind }) => kind)).toEqual(['granted', 'granted']);
    const outcomes = await Promise.all(
      [one, two].map((store) => write(store, id, { type: 'run_started', fence: fence + 1 })),
    );
    expect(outcomes.toSorted()).toEqual(['fenced', 'written']);
    const [winner, loser] = outcomes[0] === 'written' ? [one, two] : [two, one];
    expect(await winner.holder(id)).toBe('self');
    expect(await loser.holder(id)).toBe('elsewhere');
    expect((await loser.claimRun(id)).kind).toBe('elsewhere');
    expect(await statesOf(loser, id)).toEqual(['done', 'awaiting_approval', 'pending']);
  });

  it('does not go on in a window that was slower, even when the quicker one is done with it', async () => {
    const { one, id, fence } = await suspended();
    const two = await folder.open();
    await two.claimRun(id);
    await one.claimRun(id);
    await write(one, id, { type: 'run_started', fence: fence + 1 });
    await write(one, id, { type: 'run_suspended' }, fence + 1);
    expect(await write(two, id, { type: 'run_started', fence: fence + 1 })).toBe('fenced');
    expect((await runs()).map(({ state }) => state)).toEqual(['ended', 'suspended']);
    const again = await two.claimRun(id);
    expect(again).toEqual({ kind: 'granted', fence: fence + 2 });
    expect(await write(two, id, { type: 'run_started', fence: fence + 2 })).toBe('written');
  });

  it('does not go on where a new message of another window has let its calls expire', async () => {
    const { one, id, fence } = await suspended();
    const two = await folder.open();
    await two.claimRun(id);
    await one.claimRun(id);
    await write(one, id, { type: 'run_started', fence: fence + 1 });
    const part: Part = { ...CALL, state: 'expired' };
    await write(one, id, { type: 'part_set', seq: 1, idx: 1, part }, fence + 1);
    expect(await write(two, id, { type: 'run_started', fence: fence + 1 })).toBe('fenced');
    expect(await statesOf(two, id)).toEqual(['done', 'expired', 'pending']);
  });

  it('is as it was where a window that was granted it could not begin, whatever that wanted to run', async () => {
    const { one, id, fence } = await suspended();
    await one.claimRun(id);
    expect(await runs()).toEqual([{ fence, state: 'suspended' }]);
    expect(await statesOf(one, id)).toEqual(['done', 'awaiting_approval', 'pending']);
    expect(await one.claimRun(id)).toEqual({ kind: 'granted', fence: fence + 1 });
    expect(await write(one, id, { type: 'run_started', fence: fence + 1 })).toBe('written');
  });

  it('waits again when the window that went on with it dies before it did anything', async () => {
    const { id, fence } = await suspended();
    const two = await folder.open();
    await two.claimRun(id);
    await write(two, id, { type: 'run_started', fence: fence + 1 });
    await folder.crash(two);
    const three = await folder.open();
    expect(await three.holder(id)).toBe('nobody');
    expect(await statesOf(three, id)).toEqual(['done', 'awaiting_approval', 'pending']);
    expect((await runs()).map(({ state }) => state)).toEqual(['ended', 'suspended']);
  });

  it('does not end while its call waits, whatever its window says: its message would stay open for ever', async () => {
    const { one, id, fence } = await suspended();
    await one.claimRun(id);
    // As a window does that was not told in time whether its run has begun.
    await Promise.all([
      write(one, id, { type: 'run_started', fence: fence + 1 }),
      write(one, id, { type: 'run_ended' }, fence + 1),
    ]);
    expect(await one.reader.readConversation(id)).toMatchObject({ suspended: true });
  });
});
