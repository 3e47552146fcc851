import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFolder } from '../../../test/support/agent/testTools';
import { callTool, callTools, holdUntil, say } from '../../../test/support/ollama/chatStep';
import { bodyFaults } from '../../../test/support/ollama/bodyChecks';
import { ask, calls, idle, MODEL, said, until, waiting } from '../../../test/support/windows/liveTalk';
import type { TestWindow } from '../../../test/support/windows/openWindow';
import { SharedHistory } from '../../../test/support/windows/sharedHistory';
import type { ApprovalAnswer } from '../../protocol/approval';
import type { ClientId } from '../../protocol/ids';
import { DENIAL_CHARS } from '../base/limits';
import type { LiveConversation } from './liveConversation';

const ALLOW: ApprovalAnswer = { kind: 'allow' };
const QUESTION = 'Write it.';

let history: SharedHistory;
let folder: TestFolder;
let window: TestWindow;

beforeEach(async () => {
  history = await SharedHistory.make();
  folder = new TestFolder();
  window = await open();
});

afterEach(() => history.remove());

function open(): Promise<TestWindow> {
  return history.open({ tools: [folder.writeFile, folder.runCommand] });
}

const write = (content: string, path = 'a.ts') => callTool('write_file', { path, content });

/** A conversation of which a write waits for leave, with a command behind it. */
async function asking(): Promise<LiveConversation> {
  const live = window.create();
  history.server.script(write('new'), callTool('run_command', { command: 'make' }));
  await ask(live, QUESTION);
  await waiting(live);
  return live;
}

/** Answers both calls with yes, unless the first one was answered already, until the turn has ended. */
async function allowAll(live: LiveConversation, answered?: string): Promise<void> {
  const first = answered ?? (await allowNext(live));
  await allowNext(live, first);
  await idle(live);
}

async function allowNext(live: LiveConversation, answered?: string): Promise<string> {
  const { id } = await waiting(live, answered);
  expect(await live.answer(id, ALLOW)).toEqual({ ok: true });
  return id;
}

/** What is left of the turn, as one window wrote it: both calls done once, and a valid history. */
async function expectWhole(live: LiveConversation): Promise<void> {
  expect(folder.done).toEqual(['write a.ts', 'wrote a.ts', 'run make']);
  expect(calls(live).map(({ state }) => state)).toEqual(['done', 'done']);
  expect(said(live).at(-1)).toBe('assistant, done: All done.');
  expect(bodyFaults(history.server.chats, { question: QUESTION })).toEqual([]);
  expect((await history.reopened(live)).transcript.messages).toEqual(live.transcript.messages);
}

describe('a request for leave', () => {
  it('is in the transcript and in the status as long as it waits, and takes one answer', async () => {
    const live = await asking();
    const { id } = await waiting(live);
    expect(live.status).toMatchObject({ run: { kind: 'awaiting_approval' }, owner: 'here', mode: 'ask' });
    expect(await live.answer('another', ALLOW)).toMatchObject({ ok: false });
    history.server.script(say('All done.'));
    const [first, second] = await Promise.all([live.answer(id, ALLOW), live.answer(id, { kind: 'deny' })]);
    expect(first).toEqual({ ok: true });
    expect(second).toMatchObject({ ok: false, message: expect.stringContaining('answered already') });
    await allowAll(live, id);
    await expectWhole(live);
    expect(await live.answer(id, ALLOW)).toMatchObject({ ok: false });
  });

  it('is answered with words of the person, which are cut where they are too long', async () => {
    const live = await asking();
    const { id } = await waiting(live);
    history.server.script(say('Then not.'));
    await live.answer(id, { kind: 'deny', words: ` ${'no '.repeat(DENIAL_CHARS)}` });
    const request = await waiting(live, id);
    await live.answer(request.id, { kind: 'deny', words: '  ' });
    await idle(live);
    const [wrote, ran] = calls(live).map(({ answer }) => answer);
    expect(wrote?.kind === 'deny' ? wrote.words?.length : 0).toBe(DENIAL_CHARS);
    expect(ran).toEqual({ kind: 'deny' });
    expect(folder.done).toEqual([]);
  });

  it('takes no grant that it does not offer', async () => {
    const live = await asking();
    const { id, grants } = await waiting(live);
    for (const grant of [grants.length, -1, 0.5, Number.NaN])
      expect(await live.answer(id, { kind: 'grant', grant })).toMatchObject({ ok: false });
    expect(live.status.run.kind).toBe('awaiting_approval');
    live.stop();
    await idle(live);
    expect(await live.answer(id, ALLOW)).toMatchObject({ ok: false, message: expect.stringContaining('expired') });
  });
});

describe('what is allowed for longer', () => {
  it('ends with the answer, when that is what it was allowed for', async () => {
    const live = window.create();
    history.server.script(callTool('run_command', { command: 'make' }));
    history.server.script(callTool('run_command', { command: 'make' }));
    history.server.script(say('Made.'));
    await ask(live, QUESTION);
    const { id, grants } = await waiting(live);
    await live.answer(id, { kind: 'grant', grant: grants.findIndex(({ kind }) => kind === 'answer') });
    await idle(live);
    expect(folder.done).toEqual(['run make', 'run make']);
    history.server.script(callTool('run_command', { command: 'make' }));
    await ask(live, 'Again.');
    await waiting(live);
    expect(folder.done).toHaveLength(2);
    live.stop();
    await idle(live);
  });

  it('holds in the workspace at once, in other windows, and after a restart', async () => {
    const live = window.create();
    history.server.script(write('1'));
    history.server.script(write('2'));
    history.server.script(say('Written.'));
    await ask(live, QUESTION);
    const { id, grants } = await waiting(live);
    const rule = grants.findIndex((grant) => grant.kind === 'rule' && grant.rule.kind === 'files');
    await live.answer(id, { kind: 'grant', grant: rule });
    await idle(live);
    expect(folder.files.get('a.ts')).toBe('2');
    const there = (await open()).create();
    history.server.script(write('3'));
    history.server.script(write('4', 'b.ts'));
    await ask(there, QUESTION);
    expect(await waiting(there)).toMatchObject({ subject: { change: { path: 'b.ts' } } });
    expect(folder.files.get('a.ts')).toBe('3');
    there.stop();
    await idle(there);
  });
});

describe('the mode of a conversation', () => {
  it('lets a waiting call go on when it would not have to ask any more, and no other', async () => {
    const live = await asking();
    expect(live.setMode('auto_edit')).toEqual({ ok: true });
    await until(live, () => calls(live)[1]?.state === 'awaiting_approval');
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    expect(calls(live)[0]).toMatchObject({ answer: { kind: 'allow' } });
    history.server.script(say('All done.'));
    live.setMode('bypass');
    await idle(live);
    await expectWhole(live);
  });

  it('is kept beyond the window, but for Bypass, which ends with it and goes into no fork', async () => {
    const live = window.create();
    live.setMode('auto_edit');
    history.server.script(say('Hello.'));
    await ask(live, 'Hi');
    await idle(live);
    live.setMode('bypass');
    expect(live.status.mode).toBe('bypass');
    expect(live.isAtRest).toBe(false);
    expect(window.registry.fork(live).status.mode).toBe('auto_edit');
    await history.close(window);
    expect((await history.reopened(live)).status.mode).toBe('auto_edit');
  });

  it('of a change in another window is seen here; one that runs elsewhere is not this window’s to set', async () => {
    const live = window.create();
    history.server.script(say('Hello.'));
    await ask(live, 'Hi');
    await idle(live);
    const there = await (await open()).see(live);
    live.setMode('auto_edit');
    await until(there, () => there.status.mode === 'auto_edit');
    history.server.script(holdUntil(new Promise(() => undefined)));
    await ask(live, 'Go on.');
    await until(there, () => there.status.owner === 'elsewhere');
    expect(there.setMode('bypass')).toMatchObject({ ok: false });
    live.stop();
    await idle(live);
  });

  it('asks in Bypass, too, while what is done cannot be written down', async () => {
    const live = window.create();
    history.server.script(say('Hello.'));
    await ask(live, 'Hi');
    await idle(live);
    live.setMode('bypass');
    let letAnswer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    history.server.script(holdUntil(held), write('new'));
    await ask(live, QUESTION);
    const lock = await history.lock();
    letAnswer();
    const { id, reasons } = await waiting(live);
    expect(reasons).toEqual(['unsaved']);
    expect(folder.done).toEqual([]);
    history.server.script(say('All done.'));
    await live.answer(id, ALLOW);
    await idle(live);
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    await lock.letGo();
    await expect.poll(() => live.status.save.kind, { timeout: 10_000 }).toBe('saved');
    expect((await history.reopened(live)).transcript.messages).toEqual(live.transcript.messages);
  });
});

// J09
describe('a request that waits when its window goes', () => {
  it.each(['closed', 'killed'] as const)(
    'is there again after the window was %s, and its answer makes the calls',
    async (how) => {
      const before = await asking();
      const request = await waiting(before);
      await (how === 'closed' ? history.close(window) : history.kill(window));
      window = await open();
      const live = await window.see(before);
      expect(live.status).toMatchObject({ run: { kind: 'idle' }, owner: 'none' });
      expect(await waiting(live)).toEqual(request);
      expect(live.transcript.messages.at(-1)?.status).toBe('streaming');
      expect(folder.done).toEqual([]);
      history.server.script(say('All done.'));
      await allowAll(live);
      await expectWhole(live);
    },
  );

  it('is there again after a kill without a word of the window, and can be denied', async () => {
    const before = await asking();
    await history.kill(window);
    window = await open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    history.server.script(say('Then not.'));
    await live.answer(id, { kind: 'deny', words: 'Not now.' });
    await live.answer((await waiting(live, id)).id, { kind: 'deny' });
    await idle(live);
    expect(folder.done).toEqual([]);
    expect(JSON.stringify(history.server.chats.at(-1)?.body)).toContain('Not now.');
    expect(said(live).at(-1)).toBe('assistant, done: Then not.');
  });

  it('can go again, and come back, before the call behind it is answered', async () => {
    const before = await asking();
    await history.close(window);
    window = await open();
    const between = await window.see(before);
    const first = await allowNext(between);
    await waiting(between, first);
    await history.close(window);
    window = await open();
    const live = await window.see(before);
    history.server.script(say('All done.'));
    await allowAll(live, first);
    await expectWhole(live);
  });

  it('expires when the person writes something else, and says when', async () => {
    const before = await asking();
    await history.close(window);
    window = await open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    history.server.script(say('Fine.'));
    await ask(live, 'Never mind.');
    await idle(live);
    expect(calls(live)).toMatchObject([
      { state: 'expired', approval: { id }, endedAt: expect.any(Number) as number },
      { state: 'expired' },
    ]);
    expect(await live.answer(id, ALLOW)).toMatchObject({ ok: false, message: expect.stringContaining('expired') });
    expect(folder.done).toEqual([]);
  });

  it('asks anew when the file has changed since', async () => {
    const before = await asking();
    await history.close(window);
    folder.files.set('a.ts', 'by somebody');
    window = await open();
    const live = await window.see(before);
    const { id, digest } = await waiting(live);
    expect(await live.answer(id, ALLOW)).toEqual({ ok: true });
    const again = await waiting(live, id);
    expect(again.digest).not.toBe(digest);
    expect(folder.done).toEqual([]);
    live.stop();
    await idle(live);
  });

  it('waits on when nothing can be said to the file, and is not answered by that', async () => {
    const before = await asking();
    await history.close(window);
    window = await open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    const lock = await history.lock();
    expect(await live.answer(id, ALLOW)).toMatchObject({ ok: false, message: expect.stringContaining('still waits') });
    expect(folder.done).toEqual([]);
    await lock.letGo();
    await expect.poll(() => live.status.save.kind, { timeout: 10_000 }).toBe('saved');
    history.server.script(say('All done.'));
    await allowAll(live);
    await expectWhole(live);
  });

  it('is refused, and waits on, while the workspace is not trusted any more', async () => {
    const before = await asking();
    await history.close(window);
    window = await history.open({ tools: [folder.writeFile, folder.runCommand], isTrusted: () => false });
    const live = await window.see(before);
    history.server.script(say('I may not.'));
    await live.answer((await waiting(live)).id, ALLOW);
    await idle(live);
    expect(folder.done).toEqual([]);
    expect(calls(live).map(({ state }) => state)).toEqual(['error', 'error']);
  });
});

describe('a request and two windows', () => {
  it('is seen in the other window, where it cannot be answered', async () => {
    const live = await asking();
    const there = await (await open()).see(live);
    const { id } = await waiting(there);
    expect(there.status).toMatchObject({ owner: 'elsewhere', run: { kind: 'idle' } });
    expect(await there.answer(id, ALLOW)).toMatchObject({
      ok: false,
      message: expect.stringContaining('another window'),
    });
    live.stop();
    await idle(live);
  });

  it('goes with the conversation to the window that takes it over, without an answer', async () => {
    const live = await asking();
    const there = await (await open()).see(live);
    await until(there, () => there.status.owner === 'elsewhere');
    expect(await there.continueHere()).toEqual({ ok: true });
    expect(live.status).toMatchObject({ run: { kind: 'idle' } });
    expect((await waiting(there)).id).toBe((await waiting(live)).id);
    history.server.script(say('All done.'));
    await allowAll(there);
    await expectWhole(there);
    await until(live, () => said(live).at(-1) === 'assistant, done: All done.');
  });

  it('takes the answer of one of them when both answer at once', async () => {
    const before = await asking();
    await history.close(window);
    const [one, two] = [await open(), await open()];
    const [here, there] = [await one.see(before), await two.see(before)];
    const { id } = await waiting(here);
    history.server.script(say('All done.'));
    const replies = await Promise.all([here.answer(id, ALLOW), there.answer(id, ALLOW)]);
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = replies[0].ok ? here : there;
    await allowAll(winner, id);
    await expectWhole(winner);
    window = one;
  });
});

describe('work outside of a turn', () => {
  it('is done alone, written like a turn, and refused in words while something goes on or waits', async () => {
    const live = await asking();
    const nothing = (): Promise<{ ok: true }> => Promise.resolve({ ok: true });
    expect(await live.workClaimed(nothing)).toMatchObject({ ok: false, message: expect.stringContaining('leave') });
    history.server.script(say('All done.'));
    await allowAll(live);
    let seen = '';
    const reply = await live.workClaimed(async (claimed) => {
      seen = `${live.status.run.kind} ${live.status.owner}`;
      expect(await live.workClaimed(nothing)).toMatchObject({ ok: false });
      const part = calls(live)[0];
      if (part === undefined) throw new Error('no call');
      claimed.record({ type: 'part_set', seq: 2, idx: 0, part: { ...part, result: { content: 'taken back' } } });
      claimed.write({ type: 'file_version_changed', seq: 2, idx: 0, path: '/a.ts', state: 'undone' });
      expect(await claimed.gate()).toBe(true);
      return { ok: true };
    });
    expect(reply).toEqual({ ok: true });
    expect(seen).toBe('tools here');
    expect(live.status).toMatchObject({ run: { kind: 'idle' }, owner: 'none' });
    const again = await history.reopened(live);
    expect(calls(again)[0]?.result?.content).toBe('taken back');
    const versions = await window.store.reader.readFileVersions(live.id, 1, 9);
    expect(versions).toMatchObject([{ seq: 2, idx: 0, state: 'undone' }]);
  });

  it('says so when it failed, and the conversation goes on', async () => {
    const live = window.create();
    history.server.script(say('Hello.'));
    await ask(live, 'Hi');
    await idle(live);
    expect(await live.workClaimed(() => Promise.reject(new Error('fault')))).toMatchObject({ ok: false });
    history.server.script(say('Still here.'));
    await ask(live, 'And now?');
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Still here.');
  });

  it('lets a message wait that is written meanwhile, and sends it afterwards', async () => {
    const live = window.create();
    history.server.script(say('Hello.'));
    await ask(live, 'Hi');
    await idle(live);
    history.server.script(say('Second.'));
    await live.workClaimed(async () => live.send(randomUUID() as ClientId, 'Next', MODEL));
    await until(live, () => said(live).at(-1) === 'assistant, done: Second.');
    await idle(live);
  });
});

describe('calls side by side', () => {
  it('ask one after the other, and what they would do next waits, too', async () => {
    const live = window.create();
    history.server.script(
      callTools([
        { name: 'write_file', arguments: { path: 'a.ts', content: '1' } },
        { name: 'write_file', arguments: { path: 'b.ts', content: '2' } },
      ]),
    );
    history.server.script(say('All done.'));
    await ask(live, QUESTION);
    await waiting(live);
    expect(calls(live).map(({ state }) => state)).toEqual(['awaiting_approval', 'pending']);
    await allowAll(live);
    expect(folder.done).toEqual(['write a.ts', 'wrote a.ts', 'write b.ts', 'wrote b.ts']);
  });
});
