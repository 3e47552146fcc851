import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, callTools, holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { AskingHistory, QUESTION, write } from '../../../../test/support/windows/askingHistory';
import { ask, calls, idle, until, waiting } from '../../../../test/support/windows/liveTalk';
import type { TestWindow } from '../../../../test/support/windows/openWindow';
import type { ApprovalAnswer } from '../../../protocol/approval';
import { DENIAL_CHARS } from '../../base/limits';

const ALLOW: ApprovalAnswer = { kind: 'allow' };

let history: AskingHistory;
let window: TestWindow;

beforeEach(async () => {
  history = await AskingHistory.make();
  window = await history.open();
});

afterEach(() => history.remove());

describe('a request for leave', () => {
  it('is in the transcript and in the status as long as it waits, and takes one answer', async () => {
    const live = await history.asking(window);
    const { id } = await waiting(live);
    expect(live.status).toMatchObject({ run: { kind: 'awaiting_approval' }, owner: 'here', mode: 'ask' });
    expect(await live.answer('another', ALLOW)).toMatchObject({ ok: false });
    const [first, second] = await Promise.all([live.answer(id, ALLOW), live.answer(id, { kind: 'deny' })]);
    expect(first).toEqual({ ok: true });
    expect(second).toMatchObject({ ok: false, message: expect.stringContaining('answered already') });
    await history.allowAll(live, id);
    expect(await history.faults(live)).toEqual([]);
    expect(await live.answer(id, ALLOW)).toMatchObject({ ok: false });
  });

  it('is answered with words of the person, which are cut where they are too long', async () => {
    const live = await history.asking(window);
    const { id } = await waiting(live);
    history.shared.server.script(say('Then not.'));
    await live.answer(id, { kind: 'deny', words: ` ${'no '.repeat(DENIAL_CHARS)}` });
    const request = await waiting(live, id);
    await live.answer(request.id, { kind: 'deny', words: '  ' });
    await idle(live);
    const [wrote, ran] = calls(live).map(({ answer }) => answer);
    expect(wrote?.kind === 'deny' ? wrote.words?.length : 0).toBe(DENIAL_CHARS);
    expect(ran).toEqual({ kind: 'deny' });
    expect(history.folder.done).toEqual([]);
  });

  it('takes no grant that it does not offer', async () => {
    const live = await history.asking(window);
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
    history.shared.server.script(callTool('run_command', { command: 'make' }));
    history.shared.server.script(callTool('run_command', { command: 'make' }));
    history.shared.server.script(say('Made.'));
    await ask(live, QUESTION);
    const { id, grants } = await waiting(live);
    await live.answer(id, { kind: 'grant', grant: grants.findIndex(({ kind }) => kind === 'answer') });
    await idle(live);
    expect(history.folder.done).toEqual(['run make', 'run make']);
    history.shared.server.script(callTool('run_command', { command: 'make' }));
    await ask(live, 'Again.');
    await waiting(live);
    expect(history.folder.done).toHaveLength(2);
    live.stop();
    await idle(live);
  });

  it('holds in the workspace at once, in other windows, and after a restart', async () => {
    const live = window.create();
    history.shared.server.script(write('1'));
    history.shared.server.script(write('2'));
    history.shared.server.script(say('Written.'));
    await ask(live, QUESTION);
    const { id, grants } = await waiting(live);
    const rule = grants.findIndex((grant) => grant.kind === 'rule' && grant.rule.kind === 'files');
    await live.answer(id, { kind: 'grant', grant: rule });
    await idle(live);
    expect(history.folder.files.get('a.ts')).toBe('2');
    const there = (await history.open()).create();
    history.shared.server.script(write('3'));
    history.shared.server.script(write('4', 'b.ts'));
    await ask(there, QUESTION);
    expect(await waiting(there)).toMatchObject({ subject: { change: { path: 'b.ts' } } });
    expect(history.folder.files.get('a.ts')).toBe('3');
    there.stop();
    await idle(there);
  });
});

describe('the mode of a conversation', () => {
  it('lets a waiting call go on when it would not have to ask any more, and no other', async () => {
    const live = await history.asking(window);
    expect(live.setMode('auto_edit')).toEqual({ ok: true });
    await until(live, () => calls(live)[1]?.state === 'awaiting_approval');
    expect(history.folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    expect(calls(live)[0]).toMatchObject({ answer: { kind: 'allow' } });
    history.shared.server.script(say('All done.'));
    live.setMode('bypass');
    await idle(live);
    expect(await history.faults(live)).toEqual([]);
  });

  it('is kept beyond the window, but for Bypass, which ends with it and goes into no fork', async () => {
    const live = window.create();
    live.setMode('auto_edit');
    history.shared.server.script(say('Hello.'));
    await ask(live, 'Hi');
    await idle(live);
    live.setMode('bypass');
    expect(live.status.mode).toBe('bypass');
    expect(live.isAtRest).toBe(false);
    expect(window.registry.fork(live).status.mode).toBe('auto_edit');
    await history.shared.close(window);
    expect((await history.shared.reopened(live)).status.mode).toBe('auto_edit');
  });

  it('of a change in another window is seen here; one that runs elsewhere is not this window’s to set', async () => {
    const live = await history.begun(window);
    const there = await (await history.open()).see(live);
    live.setMode('auto_edit');
    await until(there, () => there.status.mode === 'auto_edit');
    history.shared.server.script(holdUntil(new Promise(() => undefined)));
    await ask(live, 'Go on.');
    await until(there, () => there.status.owner === 'elsewhere');
    expect(there.setMode('bypass')).toMatchObject({ ok: false });
    live.stop();
    await idle(live);
  });

  it('asks in Bypass, too, while what is done cannot be written down', async () => {
    const live = await history.begun(window);
    live.setMode('bypass');
    let letAnswer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    history.shared.server.script(holdUntil(held), write('new'));
    await ask(live, QUESTION);
    const lock = await history.shared.lock();
    letAnswer();
    const { id, reasons } = await waiting(live);
    expect(reasons).toEqual(['unsaved']);
    expect(history.folder.done).toEqual([]);
    history.shared.server.script(say('All done.'));
    await live.answer(id, ALLOW);
    await idle(live);
    expect(history.folder.done).toEqual(['write a.ts', 'wrote a.ts']);
    await lock.letGo();
    await expect.poll(() => live.status.save.kind, { timeout: 10_000 }).toBe('saved');
    expect((await history.shared.reopened(live)).transcript.messages).toEqual(live.transcript.messages);
  });
});

describe('calls side by side', () => {
  it('ask one after the other, and what they would do next waits, too', async () => {
    const live = window.create();
    history.shared.server.script(
      callTools([
        { name: 'write_file', arguments: { path: 'a.ts', content: '1' } },
        { name: 'write_file', arguments: { path: 'b.ts', content: '2' } },
      ]),
    );
    await ask(live, QUESTION);
    await waiting(live);
    expect(calls(live).map(({ state }) => state)).toEqual(['awaiting_approval', 'pending']);
    await history.allowAll(live);
    expect(history.folder.done).toEqual(['write a.ts', 'wrote a.ts', 'write b.ts', 'wrote b.ts']);
  });
});
