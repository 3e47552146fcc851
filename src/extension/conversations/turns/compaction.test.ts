import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Gate } from '../../../../test/support/ollama/gate';
import { callTool, failWith, holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { bodyFaults } from '../../../../test/support/ollama/bodyChecks';
import type { OllamaServer } from '../../../../test/support/ollama/ollamaServer';
import { ask, idle, MODEL, said, until } from '../../../../test/support/windows/liveTalk';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';
import type { LiveConversation } from '../liveConversation';

let history: SharedHistory;
let server: OllamaServer;

beforeEach(async () => {
  history = await SharedHistory.make();
  server = history.server;
});

afterEach(() => history.remove());

async function talk(live: LiveConversation, ...questions: readonly string[]): Promise<void> {
  for (const question of questions) {
    server.script(say(`About ${question}.`));
    await ask(live, question);
    await idle(live);
  }
}

function lastSent(): string {
  return JSON.stringify(server.chats.at(-1)?.chat.messages);
}

describe('a conversation that is summarised', () => {
  it('keeps every word, here and in the file, and tells the model the summary from then on', async () => {
    const window = await history.open();
    const live = window.create();
    await talk(live, 'one', 'two', 'three');
    server.script(say('They asked for one and two.'));
    expect(await live.compact(MODEL)).toEqual({ ok: true });
    expect(said(live).slice(0, 6)).toEqual([
      'user, done: one',
      'assistant, done: About one.',
      'user, done: two',
      'assistant, done: About two.',
      'user, done: three',
      'assistant, done: About three.',
    ]);
    expect(live.transcript.messages.at(-1)).toMatchObject({
      origin: 'host',
      parts: [{ type: 'notice', kind: 'compaction', text: 'They asked for one and two.', covers: 4 }],
    });
    await talk(live, 'four');
    expect(lastSent()).toContain('They asked for one and two.');
    expect(lastSent()).not.toContain('About one.');
    await history.close(window);
    const again = await history.reopened(live);
    expect(again.transcript).toEqual(live.transcript);
    await talk(again, 'five');
    expect(lastSent()).toContain('They asked for one and two.');
    expect(lastSent()).not.toContain('About one.');
    expect(bodyFaults(server.chats)).toEqual([]);
  });

  it('is summarised in the middle of a turn when the window fills, and the turn goes on', async () => {
    const window = await history.open({ contextLength: 4_096 });
    const live = window.create();
    for (let step = 0; step < 12; step += 1) {
      server.scriptFor(
        (request) => request.tools !== undefined,
        say('Some words of a longer thought. '.repeat(60)),
        callTool('list_files', { path: '.', note: String(step) }),
      );
    }
    server.scriptFor((request) => request.tools !== undefined, say('Done.'));
    server.fallback = () => say('They looked around.');
    await ask(live, 'Look around, for long.');
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Done.');
    expect(live.transcript.messages.filter((message) => message.origin === 'host').length).toBeGreaterThan(0);
    expect(lastSent()).toContain('They looked around.');
    expect(bodyFaults(server.chats, { question: 'Look around, for long.' })).toEqual([]);
  });

  it('says that there is nothing to summarise, and asks nobody', async () => {
    const live = (await history.open()).create();
    expect(await live.compact(MODEL)).toMatchObject({ ok: false, message: expect.stringContaining('nothing to') });
    await talk(live, 'one');
    expect(await live.compact(MODEL)).toMatchObject({ ok: false, message: expect.stringContaining('nothing to') });
    expect(server.chats).toHaveLength(1);
  });

  it('finds what is older in the file when only the last answer is in memory', async () => {
    const window = await history.open();
    const live = window.create();
    await talk(live, 'one');
    server.script({ thinking: 'hm '.repeat(120_000) }, ...say('About two.'));
    await ask(live, 'two');
    await idle(live);
    await history.close(window);
    const again = await history.reopened(live);
    expect(again.transcript.messages).toHaveLength(1);
    server.script(say('They asked for one.'));
    expect(await again.compact(MODEL)).toEqual({ ok: true });
    expect(again.transcript.messages.at(-1)?.parts).toMatchObject([{ text: 'They asked for one.', covers: 2 }]);
  });

  it('says what the server says when it has no summary, and changes nothing', async () => {
    const live = (await history.open()).create();
    await talk(live, 'one', 'two');
    const before = live.transcript;
    server.script(failWith("model 'm' not found", { status: 404 }));
    expect(await live.compact(MODEL)).toMatchObject({ ok: false, message: expect.stringContaining('not found') });
    expect(live.transcript).toEqual(before);
    expect(live.status.run.kind).toBe('idle');
  });

  it('says that nothing was summarised when the file cannot be written or the window closes: no message was sent', async () => {
    const live = (await history.open()).create();
    await talk(live, 'one', 'two');
    const other = await history.open();
    const seen = await other.see(live);
    const lock = await history.lock();
    const refused = await seen.compact(MODEL);
    await lock.letGo();
    await history.close(other);
    const notSummarised = { ok: false, message: expect.stringMatching(/Older messages were not summarised\./) };
    expect([refused, await seen.compact(MODEL)]).toEqual([notSummarised, notSummarised]);
  });

  it('shows that it is being summarised, takes a message meanwhile, and answers it afterwards', async () => {
    const live = (await history.open()).create();
    await talk(live, 'one', 'two');
    const gate = new Gate();
    server.script(holdUntil(gate.opened), ...say('One.'));
    const compaction = live.compact(MODEL);
    await until(live, () => live.status.run.kind === 'compacting');
    server.script(say('About three.'));
    await ask(live, 'three');
    expect(live.status.queue.map((message) => message.text)).toEqual(['three']);
    gate.open();
    expect(await compaction).toEqual({ ok: true });
    await until(live, () => said(live).at(-1) === 'assistant, done: About three.');
  });

  it('stops at once, and nothing is changed', async () => {
    const live = (await history.open()).create();
    await talk(live, 'one', 'two');
    const before = live.transcript;
    server.script(holdUntil(new Promise(() => undefined)));
    const compaction = live.compact(MODEL);
    const request = await server.nextRequest((sent) => JSON.stringify(sent.body).includes('Write the summary now.'));
    live.stop();
    expect(await compaction).toEqual({ ok: true });
    await request.closed;
    expect(live.transcript).toEqual(before);
    await talk(live, 'three');
  });

  it('is told whole also when its beginning is not in memory after a restart', async () => {
    const window = await history.open();
    const live = window.create();
    // Thinking is kept and not told: a page is full of it long before the model's window is.
    server.fallback = () => [{ thinking: 'hm '.repeat(60_000) }, ...say('Yes.')];
    for (const question of ['first', 'second', 'third', 'fourth']) {
      await ask(live, question);
      await idle(live);
    }
    await history.close(window);
    const again = await history.reopened(live);
    expect(again.transcript.hasOlder).toBe(true);
    await talk(again, 'fifth');
    expect(server.chats.at(-1)?.chat.messages.map((message) => message.content)).toEqual([
      'You are a test.',
      'first',
      'Yes.',
      'second',
      'Yes.',
      'third',
      'Yes.',
      'fourth',
      'Yes.',
      'fifth',
    ]);
  });
});
