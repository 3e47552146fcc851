import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../../protocol/ids';
import { holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { ask, idle, said, until } from '../../../../test/support/windows/liveTalk';
import type { TestWindow } from '../../../../test/support/windows/openWindow';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';
import { pause, systemClock } from '../../base/clock';
import type { LiveConversation } from '../liveConversation';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

describe('a message that rests in the queue', () => {
  async function resting(): Promise<{ one: TestWindow; live: LiveConversation }> {
    const one = await history.open();
    const live = one.create();
    history.server.script(say('1'), holdUntil(new Gate().opened));
    await ask(live, 'One');
    await until(live, () => said(live).at(-1)?.endsWith('1') ?? false);
    await live.send('q' as ClientId, 'Queued', 'm');
    live.stop();
    await idle(live);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    return { one, live };
  }

  it('is not sent when it is taken out while its run is asked for', async () => {
    const { live } = await resting();
    const lock = await history.lock();
    const sending = live.sendQueued('q' as ClientId, 'm');
    await pause(systemClock, 30);
    expect(live.unqueue('q' as ClientId)).toEqual({ ok: true });
    await lock.letGo();
    expect(await sending).toMatchObject({ ok: false });
    await idle(live);
    expect(said(live)).toHaveLength(2);
    expect(history.server.chats).toHaveLength(1);
    expect(said(await history.reopened(live))).toHaveLength(2);
  });

  it('is sent once when it is sent in two windows', async () => {
    const { live } = await resting();
    const other = await history.reopened(live);
    expect(other.status.queue.map(({ text }) => text)).toEqual(['Queued']);
    history.server.script(say('Answer.'));
    history.server.script(say('Answer again.'));
    expect(await live.sendQueued('q' as ClientId, 'm')).toEqual({ ok: true });
    await idle(live);
    await other.sendQueued('q' as ClientId, 'm');
    await idle(other);
    const stored = await history.reopened(live);
    expect(said(stored).filter((line) => line === 'user, done: Queued')).toHaveLength(1);
    expect(stored.status).toMatchObject({ queue: [], save: { kind: 'saved' } });
    await expect.poll(() => other.transcript).toEqual(stored.transcript);
  });
});
