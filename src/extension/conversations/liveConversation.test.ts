import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptEvent } from '../../protocol/event';
import type { ClientId } from '../../protocol/ids';
import { fold, type Transcript } from '../../protocol/transcript';
import { systemClock } from '../base/clock';
import { silentLog } from '../base/log';
import { OllamaClient } from '../ollama/ollamaClient';
import { ask, idle, said, until } from '../../../test/support/windows/liveTalk';
import { WORKSPACE } from '../../../test/support/windows/openWindow';
import { SharedHistory } from '../../../test/support/windows/sharedHistory';
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
import type { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { FileWatch } from './windows/fileWatch';
import { ConversationRegistry } from './registry';
import { testSettings } from '../../../test/support/windows/turnSettings';

let history: SharedHistory;
let server: OllamaServer;

beforeEach(async () => {
  history = await SharedHistory.make();
  server = history.server;
});

afterEach(() => history.remove());

describe('a conversation', () => {
  it('is in the file as it was seen live, with its calls and thinking', async () => {
    const window = await history.open();
    const live = window.create();
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
    await history.close(window);
    expect((await history.reopened(live)).transcript).toEqual(live.transcript);
  });

  it('tells the model each result right after its call, and gives its window each time', async () => {
    const { registry } = await history.open();
    const live = registry.create(WORKSPACE, undefined);
    server.script(
      callTool('list_files', {}, { id: 'call_1' }),
      callTool('read_file', { path: 'nothing' }, { id: 'call_1' }),
    );
    server.script(say('Done.'));
    await ask(live, 'Go');
    await idle(live);
    const body = server.chats[1]?.chat;
    expect(body?.options).toMatchObject({ num_ctx: 131_072 });
    expect(body?.messages?.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
  });

  it('has its question in the file before the request leaves', async () => {
    const { registry } = await history.open();
    const live = registry.create(WORKSPACE, undefined);
    const stored = server.nextChat().then(async () => {
      return history.sql(`SELECT data FROM part ORDER BY id`);
    });
    const release = new Gate();
    server.script(holdUntil(release.opened), say('Yes.'));
    await ask(live, 'Is it saved?');
    expect(await stored).toEqual([{ data: '{"text":"Is it saved?"}' }]);
    release.open();
    await idle(live);
  });

  it.each([
    ['an error in the stream', [say('Half'), failWith('out of memory')], 'failed', 'runner_stopped'],
    ['a stream without an end', [say('Half'), cutOff()], 'cut off', 'cut_off'],
    ['a reset', [say('Half'), resetConnection()], 'cut off', 'cut_off'],
  ])('keeps what arrived after %s, and can go on', async (_, steps, word, reason) => {
    const { registry } = await history.open();
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
    const { registry } = await history.open();
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
    const { registry } = await history.open();
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
    const { registry } = await history.open();
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
    const { registry } = await history.open();
    const live = registry.create(WORKSPACE, undefined);
    expect(await live.send('a' as ClientId, ' \n', 'm')).toEqual({ ok: false, message: 'The message is empty.' });
    expect((await live.send('b' as ClientId, 'x'.repeat(1_000_001), 'm')).ok).toBe(false);
    expect(live.transcript.messages).toEqual([]);
  });

  it('is interrupted when its window closes in mid-stream, and keeps the text', async () => {
    const first = await history.open();
    const live = first.registry.create(WORKSPACE, undefined);
    server.script(say('Half an answer'), holdUntil(new Gate().opened));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('answer') ?? false);
    await history.close(first);
    expect(said(await history.reopened(live))).toEqual(['user, done: Go', 'assistant, interrupted: Half an answer']);
  });

  it('leaves no trace when nothing was said in it', async () => {
    const window = await history.open();
    const live = window.create();
    live.chooseModel('m');
    await history.close(window);
    const { registry: later } = await history.open();
    expect(await later.list(WORKSPACE)).toEqual({ ok: true, value: [] });
    expect((await later.open(live.id)).ok).toBe(false);
  });
});

describe('a fault of ours in the middle of a turn', () => {
  it('ends the message and its calls, and the conversation goes on', async () => {
    const { store } = await history.open();
    const client = new OllamaClient(server.url, systemClock, silentLog);
    const registry = new ConversationRegistry({
      store,
      watch: new FileWatch(store, systemClock, silentLog),
      clock: systemClock,
      rescued: () => undefined,
      log: silentLog,
      windowsOf: () => ({}),
      isTrusted: () => true,
      prepareTurn: () =>
        Promise.resolve(
          testSettings(client, {
            tools: {
              definitions: [],
              plan: () => Promise.resolve({ kind: 'ready', run: () => Promise.reject(new Error('fault')) }),
              malformed: (name) => ({ ok: false, content: name, summary: '' }),
            },
          }),
        ),
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
    const { registry } = await history.open();
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
