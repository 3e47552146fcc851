import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../../protocol/ids';
import { callTool, say, wait, type ChatStep } from '../../../../test/support/ollama/chatStep';
import { ask, idle, said } from '../../../../test/support/windows/liveTalk';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';
import { pause, systemClock } from '../../base/clock';
import type { LiveConversation } from '../liveConversation';

const USED_MS = 5_000;

let history: SharedHistory;
let answers: number;

beforeEach(async () => {
  answers = 0;
  history = await SharedHistory.make({ fallback: answer });
});

afterEach(() => history.remove());

async function* answer(): AsyncGenerator<ChatStep> {
  answers += 1;
  yield* say(`Answer ${answers} `);
  yield wait(Math.random() * 60);
  if (answers % 7 === 0) return void (yield callTool('list_files', { path: '.' }));
  yield* say('goes on ');
  yield wait(Math.random() * 120);
  yield* say('and ends.');
}

/** Somebody who uses the conversation in one window without mercy. Answers the ids of messages that were accepted. */
async function use(live: LiveConversation, name: string): Promise<readonly ClientId[]> {
  const accepted: ClientId[] = [];
  for (
    const end = performance.now() + USED_MS;
    performance.now() < end;
    await pause(systemClock, Math.random() * 150)
  ) {
    const dice = Math.random();
    const [queued] = live.status.queue;
    if (dice < 0.5) {
      const id = `${name} ${accepted.length}` as ClientId;
      if ((await live.send(id, `Question ${id}`, 'm')).ok) accepted.push(id);
    } else if (dice < 0.65) live.stop();
    else if (dice < 0.8 && queued !== undefined) await live.sendQueued(queued.clientId, 'm');
    else if (dice < 0.9) await live.continueHere();
    else await pause(systemClock, Math.random() * 700);
  }
  return accepted;
}

/** Another program that holds the write lock now and then. */
async function getInTheWay(): Promise<void> {
  for (const end = performance.now() + USED_MS; performance.now() < end;) {
    await pause(systemClock, 300 + Math.random() * 700);
    const lock = await history.lock();
    await pause(systemClock, 100 + Math.random() * 1_200);
    await lock.letGo();
  }
}

/** Until both windows have nothing left to do. */
async function quiet(...lives: readonly LiveConversation[]): Promise<void> {
  for (const live of lives) live.stop();
  const isQuiet = ({ status }: LiveConversation): boolean =>
    status.run.kind === 'idle' && status.owner === 'none' && status.save.kind !== 'unsaved';
  await expect.poll(() => lives.every(isQuiet), { timeout: 10_000 }).toBe(true);
  await pause(systemClock, 1_200); // Two looks.
  expect(lives.every(isQuiet)).toBe(true);
}

describe('a conversation that is used at random in two windows while the file is locked now and then', () => {
  it('holds every accepted message once, and both windows show what the file holds', { timeout: 40_000 }, async () => {
    const [one, two] = [await history.open(), await history.open()];
    const here = one.create();
    await ask(here, 'First question');
    await idle(here);
    const there = await two.see(here);
    const [fromHere, fromThere] = await Promise.all([use(here, 'one'), use(there, 'two'), getInTheWay()]);
    await quiet(here, there);
    const stored = await history.reopened(here);
    const sent = stored.transcript.messages.map((message) => message.clientId);
    const rescued = [...one.rescued, ...two.rescued].flatMap((fork) => said(fork));
    const missing = [...fromHere, ...fromThere].filter(
      (id) =>
        sent.filter((other) => other === id).length +
          stored.status.queue.filter(({ clientId }) => clientId === id).length !==
          1 && !rescued.includes(`user, done: Question ${id}`),
    );
    expect(missing).toEqual([]);
    for (const live of [here, there]) {
      const last = live.transcript.messages.slice(-20);
      expect(last).toEqual(stored.transcript.messages.slice(-last.length));
      expect(live.status.queue).toEqual(stored.status.queue);
    }
  });
});
