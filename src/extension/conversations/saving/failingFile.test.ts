import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId } from '../../../protocol/ids';
import { pause, systemClock } from '../../base/clock';
import { ask, idle, said, until } from '../../../../test/support/windows/liveTalk';
import { WORKSPACE } from '../../../../test/support/windows/openWindow';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';
import { callTool, cutOff, holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import type { OllamaServer } from '../../../../test/support/ollama/ollamaServer';

let history: SharedHistory;
let server: OllamaServer;

beforeEach(async () => {
  history = await SharedHistory.make();
  server = history.server;
});

afterEach(() => history.remove());

describe('what was accepted', () => {
  it('is written when the window closes while another process holds the file for a moment', async () => {
    const window = await history.open();
    const live = window.registry.create(WORKSPACE, undefined);
    const lock = await history.lock();
    server.script(say('Yes.'));
    await ask(live, 'Will it be there?');
    await idle(live);
    const [, again] = await Promise.all([history.close(window), pause(systemClock, 600).then(() => lock.letGo())]);
    expect(again).toBeUndefined();
    expect(said(await history.reopened(live))).toEqual(['user, done: Will it be there?', 'assistant, done: Yes.']);
  });

  it('is written when the window closes right after it was sent', async () => {
    const window = await history.open();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('One.'));
    await ask(live, 'One');
    await idle(live);
    const sent = live.send('two' as ClientId, 'Two', 'm');
    await history.close(window);
    const kept = said(await history.reopened(live)).includes('user, done: Two');
    expect(kept).toBe((await sent).ok);
    expect((await live.send('three' as ClientId, 'Three', 'm')).ok).toBe(false);
  });

  it('is never written over what another window wrote after a send here was refused', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.registry.create(WORKSPACE, undefined);
    server.script(say('1'));
    await ask(live, 'One');
    await idle(live);
    const opened = await two.registry.open(live.id);
    if (!opened.ok) throw new Error(opened.failure.sentence);
    const other = opened.value;
    const lock = await history.lock();
    expect((await other.send('x' as ClientId, 'Refused', 'm')).ok).toBe(false);
    await lock.letGo();
    server.script(say('2'));
    // What the other one wrote of its run may come into the file in two steps.
    await expect.poll(async () => (await live.send('two' as ClientId, 'Two', 'm')).ok).toBe(true);
    await idle(live);
    await until(other, () => other.status.save.kind === 'saved');
    server.script(say('3'));
    for (let tries = 0; tries < 200 && !(await other.send('y' as ClientId, 'Three', 'm')).ok; tries += 1)
      await pause(systemClock, 50);
    await idle(other);
    expect(said(await history.reopened(live))).toEqual([
      'user, done: One',
      'assistant, done: 1',
      'user, done: Two',
      'assistant, done: 2',
      'user, done: Three',
      'assistant, done: 3',
    ]);
  });

  it('keeps a model that is chosen at the very end of a turn', async () => {
    const window = await history.open();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('One.'));
    await ask(live, 'One');
    await until(live, () => said(live).at(-1) === 'assistant, done: One.');
    live.chooseModel('another');
    await idle(live);
    expect(live.status.owner).toBe('none');
    await history.close(window);
    expect((await history.reopened(live)).transcript.conversation.model).toBe('another');
  });

  it('can be answered again after a turn that is longer than a page', async () => {
    const window = await history.open();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('x'.repeat(200_000)), callTool('list_files', {}));
    server.script(say('y'.repeat(200_000)), cutOff());
    await ask(live, 'A long one');
    await idle(live);
    await history.close(window);
    const again = await history.reopened(live);
    expect(again.transcript.messages.some((message) => message.role === 'user')).toBe(false);
    server.script(say('Short.'));
    expect(await again.retry('m')).toEqual({ ok: true });
    await idle(again);
    // What the failed attempt had found out is not asked for again.
    expect(server.chats.at(-1)?.chat.messages?.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ]);
  });
});

describe('a conversation whose file is removed while it is open', () => {
  it('does not say that it is saved', async () => {
    const window = await history.open();
    const live = window.create();
    server.script(say('One.'));
    server.script(say('Two.'));
    await ask(live, 'One');
    await idle(live);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    const names = async () => (await readdir(history.folder)).filter((name) => name.startsWith('holdfast.db'));
    for (const name of await names()) await rm(join(history.folder, name));
    // The next look makes a new file in its place.
    await expect.poll(names).toContain('holdfast.db');
    await live.send('two' as ClientId, 'Two', 'm');
    await idle(live);
    await expect.poll(() => live.status.save.kind).toBe('rejected');
    expect(said(live).at(-1)).toBe('assistant, done: Two.');
  });

  it('keeps what was put into its queue since', async () => {
    const window = await history.open();
    const live = window.create();
    const names = async () => (await readdir(history.folder)).filter((name) => name.startsWith('holdfast.db'));
    server.script(say('One.'));
    await ask(live, 'One');
    await idle(live);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    for (const name of await names()) await rm(join(history.folder, name));
    await expect.poll(names).toContain('holdfast.db');
    server.script(say('Half'), holdUntil(new Gate().opened));
    await ask(live, 'Two');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    await live.send('waits' as ClientId, 'Waits', 'm');
    live.stop();
    await idle(live);
    await expect.poll(() => live.status.save.kind).toBe('rejected');
    // Another look at the file, which holds nothing of it.
    window.watch.onScreen = false;
    window.watch.onScreen = true;
    const other = (await history.open()).create();
    server.script(say('Elsewhere.'));
    await ask(other, 'Another one');
    await idle(other);
    expect(live.status.queue).toMatchObject([{ text: 'Waits' }]);
    server.script(say('Sent.'));
    expect(await live.sendQueued('waits' as ClientId, 'm')).toEqual({ ok: true });
    await idle(live);
    expect(live.status.queue).toEqual([]);
  });
});

describe('a message that is sent right after the first one of a conversation', () => {
  it('waits in the queue, here and in the file', async () => {
    const window = await history.open();
    const live = window.create();
    const more = new Gate();
    server.script(holdUntil(more.opened), say('One.'));
    server.script(say('Two.'));
    const sent = [live.send('one' as ClientId, 'One', 'm'), live.send('two' as ClientId, 'Two', 'm')];
    expect(await Promise.all(sent)).toEqual([{ ok: true }, { ok: true }]);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    expect(await window.store.reader.readQueue(live.id)).toMatchObject([{ text: 'Two' }]);
    more.open();
    await until(live, () => said(live).at(-1) === 'assistant, done: Two.');
    await idle(live);
  });
});

describe('a conversation whose file cannot be written', () => {
  it('goes on, says that it is not saved, and is written when that works again', async () => {
    const window = await history.open();
    const lock = await history.lock();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('It works.'));
    await ask(live, 'Does it work?');
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: It works.');
    expect(live.status.save).toMatchObject({ kind: 'unsaved', why: 'Another window is writing to the history file.' });
    await lock.letGo();
    await until(live, () => live.status.save.kind !== 'unsaved');
    await history.close(window);
    expect(said(await history.reopened(live))).toEqual(said(live));
  });

  it('that other windows may know is not run: the message is refused in words', async () => {
    const window = await history.open();
    const live = window.registry.create(WORKSPACE, undefined);
    server.script(say('One.'));
    await ask(live, 'One');
    await idle(live);
    const again = await history.reopened(live);
    const lock = await history.lock();
    const reply = await again.send('x' as ClientId, 'Two', 'm');
    expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('Your message was not sent') });
    await lock.letGo();
    server.script(say('Two.'));
    await until(again, () => again.status.save.kind === 'saved');
    await ask(again, 'Two');
    await idle(again);
    expect(said(again).at(-1)).toBe('assistant, done: Two.');
  });
});
