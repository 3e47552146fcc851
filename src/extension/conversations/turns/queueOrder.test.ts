import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../../protocol/ids';
import type { QueuedMessage } from '../../../protocol/status';
import { holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { ask, idle, said, until } from '../../../../test/support/windows/liveTalk';
import type { TestWindow } from '../../../../test/support/windows/openWindow';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';
import type { Change, WriteOutcome } from '../../storage/change';
import type { LiveConversation } from '../liveConversation';
import { MessageQueue } from './messageQueue';

const MODEL = 'm';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

function id(name: number | string): ClientId {
  return `message ${name}` as ClientId;
}

function order(queue: readonly QueuedMessage[]): readonly ClientId[] {
  return queue.map(({ clientId }) => clientId);
}

/** A conversation whose answer does not end, so that what is sent waits. */
async function busy(window: TestWindow): Promise<LiveConversation> {
  const live = window.create();
  history.server.script(say('1'), holdUntil(new Gate().opened));
  await ask(live, 'One');
  await until(live, () => said(live).at(-1)?.endsWith('1') ?? false);
  return live;
}

async function queueUp(live: LiveConversation, ...names: readonly string[]): Promise<void> {
  for (const name of names) await live.send(id(name), `Text of ${name}`, MODEL);
}

async function saved(live: LiveConversation): Promise<void> {
  await expect.poll(() => live.status.save.kind).toBe('saved');
}

type Step =
  | { readonly kind: 'add' }
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'move'; readonly at: number; readonly before: number | undefined };

const steps = fc.array(
  fc.oneof(
    fc.constant<Step>({ kind: 'add' }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(19) }),
    fc.record({
      kind: fc.constant('move' as const),
      at: fc.nat(19),
      before: fc.option(fc.nat(19), { nil: undefined }),
    }),
  ),
  { maxLength: 40 },
);

describe('the queue of a conversation', () => {
  it('holds the same messages in the same order in memory, in the file and for a second window, whatever is done to it', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = await busy(one);
    await saved(live);
    const there = await two.see(live);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (done) => {
        for (const { clientId } of live.status.queue) live.unqueue(clientId);
        let wanted: readonly ClientId[] = [];
        for (const step of done) {
          if (step.kind === 'add') {
            count += 1;
            if ((await live.send(id(count), `Text ${count}`, MODEL)).ok) wanted = [...wanted, id(count)];
            continue;
          }
          const chosen = wanted[step.at % wanted.length];
          if (chosen === undefined) continue;
          const rest = wanted.filter((other) => other !== chosen);
          if (step.kind === 'remove') {
            live.unqueue(chosen);
            wanted = rest;
            continue;
          }
          const before = step.before === undefined ? undefined : rest[step.before % rest.length];
          expect(live.moveQueued(chosen, before)).toEqual({ ok: true });
          wanted = before === undefined ? [...rest, chosen] : rest.toSpliced(rest.indexOf(before), 0, chosen);
        }
        expect(order(live.status.queue)).toEqual(wanted);
        await saved(live);
        expect(await two.store.reader.readQueue(live.id)).toEqual(live.status.queue);
      }),
      { numRuns: 40 },
    );
    await expect.poll(() => there.status.queue).toEqual(live.status.queue);
  });

  it('is sent in the order that the person gave it', async () => {
    const live = await busy(await history.open());
    await queueUp(live, 'a', 'b', 'c');
    expect(live.moveQueued(id('c'), id('a'))).toEqual({ ok: true });
    expect(live.moveQueued(id('a'), undefined)).toEqual({ ok: true });
    for (let answer = 0; answer < 3; answer += 1) history.server.script(say('Yes.'));
    await live.sendQueued(id('c'), MODEL);
    await until(live, () => live.status.queue.length === 0);
    await idle(live);
    const asked = said(live).filter((line) => line.startsWith('user'));
    expect(asked).toEqual(['One', 'Text of c', 'Text of b', 'Text of a'].map((text) => `user, done: ${text}`));
  });

  it('keeps its order when what is to be moved, or where to, does not wait any more', async () => {
    const live = await busy(await history.open());
    await queueUp(live, 'a', 'b');
    const gone = { ok: false, message: 'The message does not wait any more.' };
    expect(live.moveQueued(id('x'), id('a'))).toEqual(gone);
    expect(live.moveQueued(id('a'), id('x'))).toEqual(gone);
    expect(live.moveQueued(id('a'), id('a'))).toEqual({ ok: true });
    expect(order(live.status.queue)).toEqual([id('a'), id('b')]);
  });

  it('ends in one order for two windows that change it at the same time', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const here = await busy(one);
    await queueUp(here, 'a', 'b', 'c', 'd');
    here.stop();
    await idle(here);
    await saved(here);
    const there = await two.see(here);
    for (let round = 0; round < 5; round += 1) {
      here.moveQueued(here.status.queue[3]?.clientId ?? id(''), here.status.queue[0]?.clientId);
      there.moveQueued(there.status.queue[1]?.clientId ?? id(''), undefined);
      await Promise.all([saved(here), saved(there)]);
      const stored = await one.store.reader.readQueue(here.id);
      await expect
        .poll(() => [order(here.status.queue), order(there.status.queue)])
        .toEqual([order(stored), order(stored)]);
    }
  });

  it('cannot be changed by a window that only follows', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = await busy(one);
    await queueUp(live, 'a', 'b');
    await saved(live);
    const there = await two.see(live);
    expect(there.moveQueued(id('b'), id('a'))).toMatchObject({ ok: false });
    expect(order(there.status.queue)).toEqual([id('a'), id('b')]);
  });
});

describe('a queue that is read from the file while a move of its own is on the way there', () => {
  it('keeps its order, takes what others added, and reads the file again when the move was answered', async () => {
    let written: (outcome: WriteOutcome) => void = () => undefined;
    const changes: Change[] = [];
    let readAgain = 0;
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ clientId: id(name), text: name, createdAt: 1 }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('three messages');
    const queue = new MessageQueue([a, b], {
      write: (change) => {
        changes.push(change);
        return new Promise((resolve) => {
          written = resolve;
        });
      },
      isSent: () => false,
      changed: () => undefined,
      readAgain: () => {
        readAgain += 1;
      },
    });
    expect(queue.move(b.clientId, a.clientId)).toBe(true);
    expect(changes).toEqual([{ type: 'message_moved', clientId: b.clientId, before: a.clientId }]);
    queue.replace([a, b, c]);
    expect(queue.messages).toEqual([b, a, c]);
    expect(readAgain).toBe(0);
    written('written');
    await expect.poll(() => readAgain).toBe(1);
    queue.replace([b, c, a]);
    expect(queue.messages).toEqual([b, c, a]);
  });
});
