import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptEvent } from '../../protocol/event';
import type { ClientId } from '../../protocol/ids';
import { fold, type Transcript } from '../../protocol/transcript';
import { pause, systemClock } from '../base/clock';
import { silentLog } from '../base/log';
import { OllamaClient } from '../ollama/ollamaClient';
import { Connection } from '../storage/connection';
import { ask, idle, said, until } from '../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../test/support/windows/openWindow';
import { Gate } from '../../../test/support/ollama/gate';
import {
  callTool,
  cutOff,
  failWith,
  holdUntil,
  resetConnection,
  say,
  think,
} from '../../../test/support/ollama/chatStep';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { FileWatch } from './fileWatch';
import type { LiveConversation } from './liveConversation';
import { ConversationRegistry } from './registry';

let folder: string;
let server: OllamaServer;
let windows: TestWindow[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-live-'));
  server = await OllamaServer.start({ models: ['m'] });
  windows = [];
});

afterEach(async () => {
  for (const window of windows) await closeWindow(window);
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function openWindow(): Promise<TestWindow> {
  const window = await TestWindow.open(folder, server.url);
  windows.push(window);
  return window;
}

async function closeWindow(window: TestWindow): Promise<void> {
  windows = windows.filter((other) => other !== window);
  await window.close();
}

/** A second window that knows nothing but the file. */
async function reopened(live: LiveConversation): Promise<LiveConversation> {
  return (await openWindow()).see(live);
}

describe('a conversation', () => {
  it('is in the file as it was seen live, with its calls and thinking', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    server.script(think('Let me ', 'look.'), say('One moment.'), callTool('list_files', { path: '.' }));
    server.script(say('It holds ', 'a database.'));
    await ask(live, 'What is here?');
    await idle(live);
    expect(said(live)).toEqual([
      'user, done: What is here?',
      'assistant, done: One moment.',
      'assistant, done: It holds a database.',
    ]);
    const [, looked] = live.transcript.messages;
    expect(looked?.parts.map((part) => part.type)).toEqual(['thinking', 'text', 'tool']);
    expect(looked?.parts[2]).toMatchObject({
      name: 'list_files',
      state: 'done',
      result: { content: expect.stringContaining('holdfast.db') },
    });
    expect(live.transcript.conversation.title).toBe('What is here?');
    await closeWindow(windows[0] as TestWindow);
    expect((await reopened(live)).transcript).toEqual(live.transcript);
  });

  it('tells the model each result right after its call, and gives its window each time', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    server.script(
      callTool('list_files', {}, { id: 'call_1' }),
      callTool('read_file', { path: 'nothing' }, { id: 'call_1' }),
    );
    server.script(say('Done.'));
    await ask(live, 'Go');
    await idle(live);
    const body = server.chats[1]?.chat;
    expect(body?.options).toMatchObject({ num_ctx: 4_096 });
    expect(body?.messages?.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
  });

  it('has its question in the file before the request leaves', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    const stored = server.nextChat().then(async () => {
      const connection = await Connection.open(join(folder, 'holdfast.db'), 'existing');
      const rows = await connection.exclusive((statements) => statements.all(`SELECT data FROM part ORDER BY id`));
      await connection.close();
      return rows;
    });
    const release = new Gate();
    server.script(holdUntil(release.opened), say('Yes.'));
    await ask(live, 'Is it saved?');
    expect(await stored).toEqual([{ data: '{"text":"Is it saved?"}' }]);
    release.open();
    await idle(live);
  });

  it.each([
    ['an error in the stream', [say('Half'), failWith('out of memory')], 'failed', 'server_error'],
    ['a stream without an end', [say('Half'), cutOff()], 'cut off', 'cut_off'],
    ['a reset', [say('Half'), resetConnection()], 'cut off', 'cut_off'],
  ])('keeps what arrived after %s, and can go on', async (_, steps, word, reason) => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    server.script(...steps);
    server.script(say('Whole.'));
    await ask(live, 'Tell me');
    await idle(live);
    expect(said(live)).toEqual(['user, done: Tell me', `assistant, ${word}: Half`]);
    expect(live.transcript.messages[1]?.reason).toBe(reason);
    expect(await live.retry('m')).toEqual({ ok: true });
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Whole.');
    expect(server.chats[1]?.chat?.messages?.map((message) => message.role)).toEqual(['system', 'user']);
  });

  it('says so when the model is not there, and when nothing answers', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    server.models.remove('m');
    await ask(live, 'One');
    await idle(live);
    await server.stop();
    await ask(live, 'Two');
    await idle(live);
    expect(live.transcript.messages.map((message) => message.reason)).toEqual([
      undefined,
      'model_not_found',
      undefined,
      'unreachable',
    ]);
  });

  it('stops before the first token and in mid-stream, and the server sees the connection close', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    const never = new Gate();
    server.script(holdUntil(never.opened));
    server.script(say('Partly'), holdUntil(never.opened));
    await ask(live, 'One');
    const first = await server.nextChat();
    live.stop();
    await first.closed;
    await idle(live);
    await ask(live, 'Two');
    await until(live, () => said(live).at(-1)?.endsWith('Partly') ?? false);
    live.stop();
    await (
      await server.nextChat()
    ).closed;
    await idle(live);
    expect(said(live)).toEqual([
      'user, done: One',
      'assistant, stopped: ',
      'user, done: Two',
      'assistant, stopped: Partly',
    ]);
  });

  it('never runs two turns at once, and takes a message once', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    const release = new Gate();
    server.script(holdUntil(release.opened), say('One.'));
    server.script(say('Two.'));
    const replies = await Promise.all([
      live.send('a' as ClientId, 'First', 'm'),
      live.send('b' as ClientId, 'Second', 'm'),
      live.send('a' as ClientId, 'First', 'm'),
    ]);
    expect(replies.map((reply) => reply.ok)).toEqual([true, true, true]);
    expect(await live.send('a' as ClientId, 'First', 'm')).toEqual({ ok: true });
    expect(live.status.queue.map((message) => message.text)).toEqual(['Second']);
    release.open();
    await until(live, () => said(live).at(-1) === 'assistant, done: Two.');
    expect(said(live)).toEqual([
      'user, done: First',
      'assistant, done: One.',
      'user, done: Second',
      'assistant, done: Two.',
    ]);
    expect(live.status.queue).toEqual([]);
    expect(server.chats).toHaveLength(2);
  });

  it('refuses what is empty or far too long, in words', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    expect(await live.send('a' as ClientId, ' \n', 'm')).toEqual({ ok: false, message: 'The message is empty.' });
    expect((await live.send('b' as ClientId, 'x'.repeat(1_000_001), 'm')).ok).toBe(false);
    expect(live.transcript.messages).toEqual([]);
  });

  it('is interrupted when its window closes in mid-stream, and keeps the text', async () => {
    const first = await openWindow();
    const live = first.registry.create(WORKSPACE, undefined);
    server.script(say('Half an answer'), holdUntil(new Gate().opened));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('answer') ?? false);
    await closeWindow(first);
    expect(said(await reopened(live))).toEqual(['user, done: Go', 'assistant, interrupted: Half an answer']);
  });

  it('leaves no trace when nothing was said in it', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    live.chooseModel('m');
    await closeWindow(windows[0] as TestWindow);
    const { registry: later } = await openWindow();
    expect(await later.list(WORKSPACE)).toEqual({ ok: true, value: [] });
    expect((await later.open(live.id)).ok).toBe(false);
  });
});

/** Another process that holds the write lock of the file; the answer lets it go. */
async function lockFile(): Promise<() => Promise<void>> {
  const other = await Connection.open(join(folder, 'holdfast.db'), 'existing');
  await other.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
  return async () => {
    await other.exclusive((statements) => statements.run('ROLLBACK'));
    await other.close();
  };
}

describe('what was accepted', () => {
  it('is written when the window closes while another process holds the file for a moment', async () => {
    const window = await openWindow();
    const live = window.registry.create(WORKSPACE, undefined);
    const unlock = await lockFile();
    server.script(say('Yes.'));
    await ask(live, 'Will it be there?');
    await idle(live);
    const [, again] = await Promise.all([closeWindow(window), pause(systemClock, 600).then(unlock)]);
    expect(again).toBeUndefined();
    expect(said(await reopened(live))).toEqual(['user, done: Will it be there?', 'assistant, done: Yes.']);
  });

  it('is written when the window closes right after it was sent', async () => {
    const window = await openWindow();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('One.'));
    await ask(live, 'One');
    await idle(live);
    const sent = live.send('two' as ClientId, 'Two', 'm');
    await closeWindow(window);
    const kept = said(await reopened(live)).includes('user, done: Two');
    expect(kept).toBe((await sent).ok);
    expect((await live.send('three' as ClientId, 'Three', 'm')).ok).toBe(false);
  });

  it('is never written over what another window wrote after a send here was refused', async () => {
    const [one, two] = [await openWindow(), await openWindow()];
    const live = one.registry.create(WORKSPACE, undefined);
    server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    const opened = await two.registry.open(live.id);
    if (!opened.ok) throw new Error(opened.failure.sentence);
    const other = opened.value;
    const unlock = await lockFile();
    expect((await other.send('x' as ClientId, 'Refused', 'm')).ok).toBe(false);
    await unlock();
    server.script(say('2'));
    await ask(live, 'Two');
    await idle(live);
    await until(other, () => other.status.save.kind === 'saved');
    server.script(say('3'));
    for (let tries = 0; tries < 200 && !(await other.send('y' as ClientId, 'Three', 'm')).ok; tries += 1)
      await pause(systemClock, 50);
    await idle(other);
    expect(said(await reopened(live))).toEqual([
      'user, done: One',
      'assistant, done: 1',
      'user, done: Two',
      'assistant, done: 2',
      'user, done: Three',
      'assistant, done: 3',
    ]);
  });

  it('keeps a model that is chosen at the very end of a turn', async () => {
    const window = await openWindow();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('One.'));
    await ask(live, 'One');
    await until(live, () => said(live).at(-1) === 'assistant, done: One.');
    live.chooseModel('another');
    await idle(live);
    expect(live.status.owner).toBe('none');
    await closeWindow(window);
    expect((await reopened(live)).transcript.conversation.model).toBe('another');
  });

  it('can be answered again after a turn that is longer than a page', async () => {
    const window = await openWindow();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('x'.repeat(200_000)), callTool('list_files', {}));
    server.script(say('y'.repeat(200_000)), cutOff());
    await ask(live, 'A long one');
    await idle(live);
    await closeWindow(window);
    const again = await reopened(live);
    expect(again.transcript.messages.some((message) => message.role === 'user')).toBe(false);
    server.script(say('Short.'));
    expect(await again.retry('m')).toEqual({ ok: true });
    await idle(again);
    expect(server.chats.at(-1)?.chat.messages?.map((message) => message.role)).toEqual(['system', 'user']);
  });
});

describe('a conversation whose file is removed while it is open', () => {
  it('does not say that it is saved', async () => {
    const window = await openWindow();
    const live = window.create();
    server.script(say('One.'));
    server.script(say('Two.'));
    await ask(live, 'One');
    await idle(live);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    for (const name of await readdir(folder)) if (name.startsWith('holdfast.db')) await rm(join(folder, name));
    await pause(systemClock, 1_200); // Two looks.
    await live.send('two' as ClientId, 'Two', 'm');
    await idle(live);
    await expect.poll(() => live.status.save.kind).toBe('rejected');
    expect(said(live).at(-1)).toBe('assistant, done: Two.');
  });
});

describe('a conversation whose file cannot be written', () => {
  it('goes on, says that it is not saved, and is written when that works again', async () => {
    const window = await openWindow();
    const other = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    await other.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('It works.'));
    await ask(live, 'Does it work?');
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: It works.');
    expect(live.status.save).toMatchObject({ kind: 'unsaved', why: 'Another window is writing to the history file.' });
    await other.exclusive((statements) => statements.run('ROLLBACK'));
    await other.close();
    await until(live, () => live.status.save.kind !== 'unsaved');
    await closeWindow(window);
    expect(said(await reopened(live))).toEqual(said(live));
  });

  it('that other windows may know is not run: the message is refused in words', async () => {
    const window = await openWindow();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('One.'));
    await ask(live, 'One');
    await idle(live);
    const again = await reopened(live);
    const other = await Connection.open(join(folder, 'holdfast.db'), 'existing');
    await other.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
    const reply = await again.send('x' as ClientId, 'Two', 'm');
    expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('Your message was not sent') });
    await other.exclusive((statements) => statements.run('ROLLBACK'));
    await other.close();
    server.script(say('Two.'));
    await until(again, () => again.status.save.kind === 'saved');
    await ask(again, 'Two');
    await idle(again);
    expect(said(again).at(-1)).toBe('assistant, done: Two.');
  });
});

describe('a fault of ours in the middle of a turn', () => {
  it('ends the message and its calls, and the conversation goes on', async () => {
    const { store } = await openWindow();
    const client = new OllamaClient(server.url, systemClock, silentLog);
    const registry = new ConversationRegistry({
      store,
      watch: new FileWatch(store, systemClock, silentLog),
      clock: systemClock,
      rescued: () => undefined,
      log: silentLog,
      prepareTurn: () =>
        Promise.resolve({
          client,
          systemPrompt: '',
          contextLength: 4_096,
          tools: {
            definitions: [],
            execute: () => Promise.reject(new Error('fault')),
            malformed: (name) => ({ ok: false, content: name, summary: '' }),
          },
        }),
    });
    const live = registry.create(WORKSPACE, undefined);
    server.script(callTool('one', {}), callTool('two', {}));
    await ask(live, 'Go');
    await idle(live);
    const [, broken] = live.transcript.messages;
    expect(broken).toMatchObject({ status: 'error', reason: 'internal' });
    expect(broken?.parts.map((part) => part.type === 'tool' && part.state)).toEqual(['interrupted', 'expired']);
    server.script(say('Fine.'));
    await ask(live, 'Again');
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Fine.');
    await registry.dispose();
  });
});

describe('the events of a conversation', () => {
  it('fold to its transcript for a listener that was there from the start', async () => {
    const { registry } = await openWindow();
    const live = registry.create(WORKSPACE, undefined);
    let seen: Transcript = live.transcript;
    const events: TranscriptEvent[] = [];
    live.listen({
      event: (event) => {
        events.push(event);
        const folded = fold(seen, event);
        if (folded.ok) seen = folded.transcript;
      },
      status: () => undefined,
      replaced: () => undefined,
    });
    server.script(think('a', 'b'), callTool('list_files', {}));
    server.script(say('c', 'd'));
    await ask(live, 'Go');
    await idle(live);
    expect(seen).toEqual(live.transcript);
    expect(events).toHaveLength(live.n);
  });
});
