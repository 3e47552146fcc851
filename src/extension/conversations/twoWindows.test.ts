import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../protocol/ids';
import { ask, idle, said, until } from '../../../test/support/windows/liveTalk';
import { TestWindow } from '../../../test/support/windows/openWindow';
import { Gate } from '../../../test/support/ollama/gate';
import { callTool, holdUntil, say, think } from '../../../test/support/ollama/chatStep';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { pause, systemClock } from '../base/clock';
import { Connection } from '../storage/connection';
import type { LiveConversation } from './liveConversation';

let folder: string;
let server: OllamaServer;
let windows: TestWindow[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-windows-'));
  server = await OllamaServer.start({ models: ['m', 'another'] });
  windows = [];
});

afterEach(async () => {
  for (const window of windows) await window.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function openWindow(): Promise<TestWindow> {
  const window = await TestWindow.open(folder, server.url);
  windows.push(window);
  return window;
}

/** Runs SQL as another program would. */
async function sql(...texts: readonly string[]): Promise<void> {
  const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing', 2_000);
  for (const text of texts) await connection.exclusive((statements) => statements.run(text));
  await connection.close();
}

/** Counts how often a conversation was read anew instead of followed. */
function countReplaced(live: LiveConversation): { count: number } {
  const seen = { count: 0 };
  live.listen({ event: () => undefined, status: () => undefined, replaced: () => (seen.count += 1) });
  return seen;
}

describe('a conversation that runs in another window', () => {
  it('is followed live and read-only, chunk by chunk, within a second, and can be continued when it ends', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    const [more, end] = [new Gate(), new Gate()];
    server.script(
      think('Hm. '),
      say('Slowly'),
      holdUntil(more.opened),
      say(', but surely'),
      holdUntil(end.opened),
      say('.'),
    );
    server.script(say('Second.'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Slowly') ?? false);
    const other = await two.see(live);
    const replaced = countReplaced(other);
    expect(other.status.owner).toBe('elsewhere');
    expect(await other.send('x' as ClientId, 'Me too', 'm')).toMatchObject({ ok: false });
    await until(other, () => said(other).at(-1)?.endsWith('Slowly') ?? false);
    more.open();
    await until(live, () => said(live).at(-1)?.endsWith('surely') ?? false);
    const since = Date.now();
    await until(other, () => said(other).at(-1)?.endsWith('surely') ?? false);
    expect(Date.now() - since).toBeLessThan(1_000);
    expect(replaced.count).toBe(0);
    end.open();
    await idle(live);
    await until(other, () => other.status.owner === 'none');
    expect(other.transcript).toEqual(live.transcript);
    await ask(other, 'And now?');
    await idle(other);
    expect(said(other).at(-1)).toBe('assistant, done: Second.');
  });

  it('shows calls, their results and the messages after them as they come', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    const gates = [new Gate(), new Gate()];
    server.script(say('First I look.'), holdUntil(gates[0]!.opened), callTool('list_files', { path: '.' }));
    server.script(say('It holds '), holdUntil(gates[1]!.opened), say('a database.'));
    await ask(live, 'What is here?');
    await until(live, () => said(live).at(-1)?.endsWith('look.') ?? false);
    const other = await two.see(live);
    const replaced = countReplaced(other);
    gates[0]!.open();
    await until(other, () => said(other).at(-1)?.endsWith('It holds ') ?? false);
    expect(other.transcript.messages[1]).toMatchObject({ status: 'done', parts: [{}, { state: 'done' }] });
    expect(replaced.count).toBe(0);
    gates[1]!.open();
    await until(other, () => other.status.owner === 'none');
    expect(other.transcript).toEqual(live.transcript);
  });

  it('is closed and free when its window is gone, and what it had written stays', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    server.script(say('Half an answer'), holdUntil(new Gate().opened));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('answer') ?? false);
    await pause(systemClock, 200);
    const other = await two.see(live);
    // What a kill does: the lock goes, and nothing more is written.
    one.watch.dispose();
    await one.store.close();
    await until(other, () => other.status.owner === 'none');
    expect(said(other)).toEqual(['user, done: Go', 'assistant, interrupted: Half an answer']);
    windows = [two];
  });
});

describe('“Continue here”', () => {
  it('is granted by the window that runs it: its answer ends as interrupted, and it follows from then on', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    server.script(say('Half'), holdUntil(new Gate().opened));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    const other = await two.see(live);
    const since = Date.now();
    expect(await other.continueHere()).toEqual({ ok: true });
    expect(Date.now() - since).toBeLessThan(2_000);
    expect(said(other)).toEqual(['user, done: Go', 'assistant, interrupted: Half']);
    expect(other.transcript.messages[1]?.reason).toBe('takeover');
    expect(other.status.owner).toBe('none');
    await idle(live);
    const release = new Gate();
    server.script(say('Here'), holdUntil(release.opened), say(' now.'));
    await ask(other, 'Go on');
    await until(live, () => live.status.owner === 'elsewhere' && (said(live).at(-1)?.endsWith('Here') ?? false));
    release.open();
    await idle(other);
    await until(live, () => live.status.owner === 'none');
    expect(live.transcript).toEqual(other.transcript);
  });

  it('waits for a tool that runs, if it is quick, so that its result is known', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    server.script(callTool('list_files', { path: '.' }));
    const never = new Gate();
    server.script(holdUntil(never.opened));
    await ask(live, 'Go');
    await server.nextChat();
    const other = await two.see(live);
    expect(await other.continueHere()).toEqual({ ok: true });
    const tool = other.transcript.messages[1]?.parts[0];
    expect(tool).toMatchObject({ type: 'tool', state: 'done' });
  });

  it('needs no answer of a window that hangs: its run is ended, and what it still writes is refused', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    const release = new Gate();
    server.script(say('Half'), holdUntil(release.opened), say(' and far too late'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    await pause(systemClock, 200);
    const other = await two.see(live);
    one.watch.dispose(); // It lives, but looks at nothing any more.
    expect(await other.continueHere()).toEqual({ ok: true });
    expect(said(other).at(-1)).toBe('assistant, interrupted: Half');
    server.script(say('Here.'));
    await ask(other, 'Go on');
    await idle(other);
    release.open();
    await until(live, () => live.status.owner === 'elsewhere');
    await until(live, () => said(live).length === 4);
    expect(said(await (await openWindow()).see(live))).toEqual([
      'user, done: Go',
      'assistant, interrupted: Half',
      'user, done: Go on',
      'assistant, done: Here.',
    ]);
  });

  it('says in words when the file cannot be written, and changes nothing', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    const release = new Gate();
    server.script(say('Slowly'), holdUntil(release.opened), say('.'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Slowly') ?? false);
    const other = await two.see(live);
    const lock = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    await lock.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    expect(await other.continueHere()).toEqual({
      ok: false,
      message: 'Another window is writing to the history file. It still runs in the other window.',
    });
    expect(other.status.owner).toBe('elsewhere');
    await lock.close();
    release.open();
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Slowly.');
  });
});

describe('a fork', () => {
  it('of a conversation that runs elsewhere starts with what is there, and both go on', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    const release = new Gate();
    server.script(say('Yes.'));
    server.script(say('Half'), holdUntil(release.opened), say(' and whole.'));
    await ask(live, 'Really?');
    await idle(live);
    await ask(live, 'Tell me');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    const other = await two.see(live);
    await until(other, () => said(other).at(-1)?.endsWith('Half') ?? false);
    const fork = two.registry.fork(other);
    const start = ['user, done: Really?', 'assistant, done: Yes.', 'user, done: Tell me'];
    expect(said(fork)).toEqual([...start, 'assistant, interrupted: Half']);
    expect(fork.transcript.conversation.title).toBe('Really? (fork)');
    server.script(say('Another end.'));
    await ask(fork, 'Go on');
    await idle(fork);
    release.open();
    await idle(live);
    expect(said(live)).toEqual([...start, 'assistant, done: Half and whole.']);
    const third = await openWindow();
    expect((await third.see(fork)).transcript).toEqual(fork.transcript);
    expect((await third.see(live)).transcript).toEqual(live.transcript);
  });

  it('while the file cannot be written is not saved, works, and is written later', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    server.script(say('Yes.'));
    await ask(live, 'Really?');
    await idle(live);
    const other = await two.see(live);
    const lock = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    await lock.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    expect(await other.send('x' as ClientId, 'Go on', 'm')).toMatchObject({ ok: false, offer: 'fork' });
    const fork = two.registry.fork(other);
    server.script(say('Here.'));
    await ask(fork, 'Go on');
    await idle(fork);
    expect(fork.status.save.kind).toBe('unsaved');
    await lock.close();
    await until(fork, () => fork.status.save.kind === 'saved');
    expect((await (await openWindow()).see(fork)).transcript).toEqual(fork.transcript);
  });
});

describe('a turn that began while the file failed, in a conversation that another window ran meanwhile', () => {
  it('is kept whole in a fork, and the conversation is as the other window left it', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    const lock = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    await lock.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    const release = new Gate();
    server.script(say('Unsaved'), holdUntil(release.opened), say('.'));
    await ask(live, 'Two, not saved');
    await until(live, () => said(live).at(-1)?.endsWith('Unsaved') ?? false);
    // The other window gets the file first.
    const other = await two.see(live);
    await lock.exclusive((statements) =>
      statements.run(
        `INSERT INTO run (conversation, owner, host, fence, state) SELECT id, 'o', 'h', 2, 'ended' FROM conversation`,
      ),
    );
    await lock.exclusive((statements) => statements.run('COMMIT'));
    await lock.close();
    await until(live, () => one.rescued.length > 0);
    const [fork] = one.rescued;
    await expect.poll(() => fork!.status.save.kind).toBe('saved');
    expect(said(fork!).slice(0, 3)).toEqual(['user, done: One', 'assistant, done: 1', 'user, done: Two, not saved']);
    expect(said(fork!)[3]).toMatch(/^assistant, interrupted: Unsaved/);
    await until(live, () => live.status.owner === 'none');
    expect(said(live)).toEqual(['user, done: One', 'assistant, done: 1']);
    expect((await two.see(fork!)).transcript).toEqual(fork!.transcript);
    expect(said(other)).toEqual(said(live));
  });
});

describe('a turn that is not saved', () => {
  it('is kept in a fork before what another window wrote takes its place', async () => {
    const one = await openWindow();
    const live = one.create();
    server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    // A newer build takes the file over: nothing of this window is written from now on.
    await sql(`UPDATE meta SET value = '99' WHERE key = 'min_writer'`);
    server.script(say('Unsaved.'));
    await ask(live, 'Two, not saved');
    await idle(live);
    await sql(
      `INSERT INTO run (conversation, owner, host, fence, state) SELECT id, 'o', 'h', 2, 'ended' FROM conversation`,
      `INSERT INTO change (conversation, kind) SELECT id, 'run' FROM conversation`,
    );
    await expect.poll(() => one.rescued.length, { timeout: 5_000 }).toBe(1);
    expect(said(one.rescued[0]!)).toEqual([
      'user, done: One',
      'assistant, done: 1',
      'user, done: Two, not saved',
      'assistant, done: Unsaved.',
    ]);
    await expect.poll(() => said(live), { timeout: 5_000 }).toEqual(['user, done: One', 'assistant, done: 1']);
    await sql(`UPDATE meta SET value = '1' WHERE key = 'min_writer'`);
    one.store.retryNow();
    await expect.poll(() => one.rescued[0]?.status.save.kind, { timeout: 5_000 }).toBe('saved');
    const stored = await (await openWindow()).see(one.rescued[0]!);
    expect(stored.transcript).toEqual(one.rescued[0]?.transcript);
  });
});

describe('a message that rests in the queue', () => {
  async function resting(): Promise<{ one: TestWindow; live: LiveConversation }> {
    const one = await openWindow();
    const live = one.create();
    server.script(say('1'), holdUntil(new Gate().opened));
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
    const lock = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    await lock.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    const sending = live.sendQueued('q' as ClientId, 'm');
    await pause(systemClock, 30);
    expect(live.unqueue('q' as ClientId)).toEqual({ ok: true });
    await lock.close();
    expect(await sending).toMatchObject({ ok: false });
    await idle(live);
    expect(said(live)).toHaveLength(2);
    expect(server.chats).toHaveLength(1);
    expect(said(await (await openWindow()).see(live))).toHaveLength(2);
  });

  it('is sent once when it is sent in two windows', async () => {
    const { live } = await resting();
    const other = await (await openWindow()).see(live);
    expect(other.status.queue.map(({ text }) => text)).toEqual(['Queued']);
    server.script(say('Answer.'));
    server.script(say('Answer again.'));
    expect(await live.sendQueued('q' as ClientId, 'm')).toEqual({ ok: true });
    await idle(live);
    await other.sendQueued('q' as ClientId, 'm');
    await idle(other);
    const stored = await (await openWindow()).see(live);
    expect(said(stored).filter((line) => line === 'user, done: Queued')).toHaveLength(1);
    expect(stored.status).toMatchObject({ queue: [], save: { kind: 'saved' } });
    await expect.poll(() => other.transcript).toEqual(stored.transcript);
  });
});

describe('two windows that show the same idle conversation', () => {
  it('go on from what the other one wrote, not from what they remember', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    for (const text of ['1', '2', '3']) server.script(say(text));
    await ask(live, 'One');
    await idle(live);
    const other = await two.see(live);
    await ask(other, 'Two');
    await idle(other);
    await ask(live, 'Three');
    await idle(live);
    expect(live.transcript.messages.map((message) => message.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(said(live).filter((line) => line.startsWith('user'))).toEqual([
      'user, done: One',
      'user, done: Two',
      'user, done: Three',
    ]);
  });

  it('that are written in at the same moment get one run: nothing is mixed, nothing lost', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    server.script(say('0'));
    await ask(live, 'Zero');
    await idle(live);
    const other = await two.see(live);
    const texts = ['from one', 'from two'];
    for (const text of texts) server.script(say(text));
    const replies = await Promise.all([
      live.send('a' as ClientId, texts[0]!, 'm'),
      other.send('b' as ClientId, texts[1]!, 'm'),
    ]);
    await Promise.all([idle(live), idle(other)]);
    const sent = texts.filter((_, index) => replies[index]?.ok);
    expect(sent.length).toBeGreaterThanOrEqual(1);
    const stored = said(await (await openWindow()).see(live));
    expect(stored.filter((line) => line.startsWith('user')).toSorted()).toEqual(
      ['user, done: Zero', ...sent.map((text) => `user, done: ${text}`)].toSorted(),
    );
  });

  it('show a title and a model that were changed in the other one, and keep their own', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.create();
    server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    const other = await two.see(live);
    other.chooseModel('another');
    await until(live, () => live.transcript.conversation.model === 'another');
    expect(live.transcript.conversation.title).toBe('One');
  });
});

describe('a conversation that is open in one window', () => {
  it('keeps a title that another window gave while this one had it open and went on', async () => {
    const [here, there] = [await openWindow(), await openWindow()];
    const live = here.create();
    server.script(say('One.'));
    server.script(say('Two.'));
    await ask(live, 'First');
    await idle(live);
    const change = { type: 'conversation_changed', title: 'Renamed over there' } as const;
    expect(await there.store.write({ conversationId: live.id, at: Date.now(), change })).toBe('written');
    live.chooseModel('another');
    await ask(live, 'Second', 'another');
    await idle(live);
    const again = await (await openWindow()).see(live);
    expect(again.transcript.conversation).toMatchObject({ title: 'Renamed over there', model: 'another' });
    expect(again.transcript.messages).toHaveLength(4);
  });
});
