import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say } from '../../../test/support/ollama/chatStep';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { MODEL, ask, idle, opened, said } from '../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../test/support/windows/openWindow';
import { systemClock, type Clock } from '../base/clock';

const MINUTE_MS = 60_000;

/** Waits as long as it should, but tells the time that the test says. */
class SetClock implements Clock {
  time = 1_768_471_200_000;

  now(): number {
    return this.time;
  }

  after(ms: number, then: () => void): () => void {
    return systemClock.after(ms, then);
  }
}

let folder: string;
let server: OllamaServer;
let windows: TestWindow[];
let clock: SetClock;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-order-'));
  server = await OllamaServer.start({ models: [MODEL] });
  windows = [];
  clock = new SetClock();
});

afterEach(async () => {
  for (const window of windows) await window.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function openWindow(): Promise<TestWindow> {
  const window = new TestWindow(folder, { serverUrl: server.url, clock });
  windows.push(window);
  expect(await window.store.start()).toBeUndefined();
  return window;
}

/** Asks so many questions, each answered, and closes the window. Answers what a new window then shows. */
async function reopenedAfter(turns: number, beforeTurn: (turn: number) => void) {
  const first = await openWindow();
  const live = first.registry.create(WORKSPACE, MODEL);
  for (let turn = 1; turn <= turns; turn += 1) {
    beforeTurn(turn);
    server.script(say(`Answer ${turn}`));
    await ask(live, `Question ${turn}`);
    await idle(live);
  }
  windows = [];
  await first.close();
  return opened((await openWindow()).registry, live.id);
}

function inOrder(turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, index) => [
    `user, done: Question ${index + 1}`,
    `assistant, done: Answer ${index + 1}`,
  ]).flat();
}

/** What the model was told last of the conversation. */
function toldLast(): readonly string[] | undefined {
  return server.chats
    .at(-1)
    ?.chat.messages?.slice(1)
    .map((message) => message.content ?? '');
}

describe('the order of messages', () => {
  // F06
  it('is that of insertion when the clock is set back in mid-conversation', async () => {
    const live = await reopenedAfter(6, (turn) => {
      clock.time += turn === 4 ? -10 * MINUTE_MS : MINUTE_MS;
    });
    expect(said(live)).toEqual(inOrder(6));
    const times = live.transcript.messages.map((message) => message.createdAt);
    expect(times).not.toEqual(times.toSorted((a, b) => a - b));
    clock.time -= 10 * MINUTE_MS;
    server.script(say('Answer 7'));
    await ask(live, 'Question 7');
    await idle(live);
    expect(said(live)).toEqual(inOrder(7));
    expect(toldLast()).toEqual([...inOrder(6).map((line) => line.replace(/^.*: /, '')), 'Question 7']);
  });

  // F08
  it('is that of insertion when a hundred messages have the same time', async () => {
    const live = await reopenedAfter(50, () => undefined);
    expect(said(live)).toEqual(inOrder(50));
    expect(new Set(live.transcript.messages.map((message) => message.createdAt))).toEqual(new Set([clock.time]));
  });
});
