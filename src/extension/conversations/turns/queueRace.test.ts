import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../../test/support/ollama/chatRequest';
import { holdUntil, say, wait, type ChatStep } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { OllamaServer } from '../../../../test/support/ollama/ollamaServer';
import { MODEL, ask, said, until } from '../../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../../test/support/windows/openWindow';
import { pause, systemClock } from '../../base/clock';

const RUNS = 200;
const AT_ONCE = 20;
const LONGEST_APART_MS = 50;

let folder: string;
let server: OllamaServer;
let window: TestWindow;
/** By conversation: until when its first answer waits, how many answers are being written, and the most there were. */
let seen: Map<string, { readonly release: Gate; open: number; most: number }>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-queue-'));
  seen = new Map();
  server = await OllamaServer.start({ models: [MODEL], fallback: answer });
  window = new TestWindow(folder, { serverUrl: server.url });
  expect(await window.store.start()).toBeUndefined();
});

afterEach(async () => {
  await window.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Answers the last question of a conversation, which is known by its first one. */
async function* answer(request: ChatRequest): AsyncGenerator<ChatStep> {
  const questions = (request.messages ?? [])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => String(content));
  const conversation = seen.get(questions[0]?.split(':', 1)[0] ?? '');
  if (conversation === undefined) return;
  conversation.open += 1;
  conversation.most = Math.max(conversation.most, conversation.open);
  yield holdUntil(conversation.release.opened);
  yield* say('Answer to ');
  yield wait(5);
  yield* say(questions.at(-1) ?? '');
  conversation.open -= 1;
}

/** Asks twice, so many ms apart, while a turn goes on: that of the first of the two, or one before them. */
async function race(name: string, apartMs: number, oneBefore: boolean): Promise<void> {
  const conversation = { release: new Gate(), open: 0, most: 0 };
  seen.set(name, conversation);
  const live = window.registry.create(WORKSPACE, MODEL);
  const before = oneBefore ? [`${name}: before`] : [];
  const two = [`${name}: one`, `${name}: two`] as const;
  for (const text of before) await ask(live, text);
  await Promise.all([ask(live, two[0]), pause(systemClock, apartMs).then(() => ask(live, two[1]))]);
  conversation.release.open();
  const all = [...before, ...two];
  await until(live, () => said(live).at(-1) === `assistant, done: Answer to ${two[1]}`);
  await until(live, () => live.status.run.kind === 'idle');
  expect(said(live)).toEqual(all.flatMap((text) => [`user, done: ${text}`, `assistant, done: Answer to ${text}`]));
  expect(conversation.most).toBe(1);
}

// C05
describe('two messages, 0 to 50 ms apart, while a turn goes on', () => {
  it('never run two turns at once, and are answered in their order', { timeout: 60_000 }, async () => {
    for (let run = 0; run < RUNS; run += AT_ONCE) {
      const races = Array.from({ length: AT_ONCE }, (_, index) => {
        const apartMs = Math.round(((run + index) / (RUNS - 1)) * LONGEST_APART_MS);
        return race(`Run ${run + index}`, apartMs, index % 2 === 0);
      });
      await Promise.all(races);
    }
    expect(server.chats).toHaveLength(RUNS * 2.5);
  });
});
