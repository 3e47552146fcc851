import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say } from '../../../../test/support/ollama/chatStep';
import { FailingStatements } from '../../../../test/support/storage/failingStatements';
import { allowNext, AskingHistory } from '../../../../test/support/windows/askingHistory';
import { ask, calls, idle, MODEL, said, until, waiting } from '../../../../test/support/windows/liveTalk';
import { HOST, type TestWindow } from '../../../../test/support/windows/openWindow';
import type { ApprovalAnswer } from '../../../protocol/approval';
import type { ClientId } from '../../../protocol/ids';

const ALLOW: ApprovalAnswer = { kind: 'allow' };

let history: AskingHistory;
let window: TestWindow;

beforeEach(async () => {
  history = await AskingHistory.make();
  window = await history.open();
});

afterEach(() => history.remove());

// J09
describe('a request that waits when its window goes', () => {
  it.each(['closed', 'killed'] as const)(
    'is there again after the window was %s, and its answer makes the calls',
    async (how) => {
      const before = await history.asking(window);
      const request = await waiting(before);
      await (how === 'closed' ? history.shared.close(window) : history.shared.kill(window));
      window = await history.open();
      const live = await window.see(before);
      expect(live.status).toMatchObject({ run: { kind: 'idle' }, owner: 'none' });
      expect(await waiting(live)).toEqual(request);
      expect(live.transcript.messages.at(-1)?.status).toBe('streaming');
      expect(history.folder.done).toEqual([]);
      await history.allowAll(live);
      expect(await history.faults(live)).toEqual([]);
    },
  );

  it('is there again after a kill without a word of the window, and can be denied', async () => {
    const before = await history.asking(window);
    await history.shared.kill(window);
    window = await history.open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    history.shared.server.script(say('Then not.'));
    await live.answer(id, { kind: 'deny', words: 'Not now.' });
    await live.answer((await waiting(live, id)).id, { kind: 'deny' });
    await idle(live);
    expect(history.folder.done).toEqual([]);
    expect(JSON.stringify(history.shared.server.chats.at(-1)?.body)).toContain('Not now.');
    expect(said(live).at(-1)).toBe('assistant, done: Then not.');
  });

  it('can go again, and come back, before the call behind it is answered', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    window = await history.open();
    const between = await window.see(before);
    const first = await allowNext(between);
    await waiting(between, first);
    await history.shared.close(window);
    window = await history.open();
    const live = await window.see(before);
    await history.allowAll(live, first);
    expect(await history.faults(live)).toEqual([]);
  });

  it('keeps older messages from being summarised before it is answered, and is left alone by Stop', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    window = await history.open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    expect(await live.compact(MODEL)).toMatchObject({ ok: false });
    live.stop();
    expect((await waiting(live)).id).toBe(id);
    await history.allowAll(live);
    expect(await history.faults(live)).toEqual([]);
  });

  it('expires when the person writes something else, and says when', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    window = await history.open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    history.shared.server.script(say('Fine.'));
    await ask(live, 'Never mind.');
    await idle(live);
    expect(calls(live)).toMatchObject([
      { state: 'expired', approval: { id }, endedAt: expect.any(Number) as number },
      { state: 'expired' },
    ]);
    expect(await live.answer(id, ALLOW)).toMatchObject({ ok: false, message: expect.stringContaining('expired') });
    expect(JSON.stringify(history.shared.server.chats.at(-1)?.body)).toContain('This call was not run');
    expect(history.folder.done).toEqual([]);
  });

  it('asks anew when the file has changed since', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    history.folder.files.set('a.ts', 'by somebody');
    window = await history.open();
    const live = await window.see(before);
    const { id, digest } = await waiting(live);
    expect(await live.answer(id, ALLOW)).toEqual({ ok: true });
    const again = await waiting(live, id);
    expect(again.digest).not.toBe(digest);
    expect(history.folder.done).toEqual([]);
    live.stop();
    await idle(live);
  });

  it('waits on when nothing can be said to the file, and is not answered by that', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    window = await history.open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    const lock = await history.shared.lock();
    expect(await live.answer(id, ALLOW)).toMatchObject({ ok: false, message: expect.stringContaining('still waits') });
    expect(history.folder.done).toEqual([]);
    await lock.letGo();
    await expect.poll(() => live.status.save.kind, { timeout: 10_000 }).toBe('saved');
    await history.allowAll(live);
    expect(await history.faults(live)).toEqual([]);
  });

  it('waits on when a message in its place cannot be sent, in memory and in the file alike', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    window = await history.open();
    const live = await window.see(before);
    const { id } = await waiting(live);
    const failing = new FailingStatements(history.shared.folder);
    failing.refuse(HOST); // Only the run is not taken.
    const reply = await live.send('in-its-place' as ClientId, 'Never mind.', MODEL);
    failing.dispose();
    expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('not sent') });
    expect((await waiting(live)).id).toBe(id);
    await history.allowAll(live);
    expect(await history.faults(live)).toEqual([]);
  });

  it('is refused, and waits on, while the workspace is not trusted any more', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    window = await history.open({ isTrusted: () => false });
    const live = await window.see(before);
    history.shared.server.script(say('I may not.'));
    await live.answer((await waiting(live)).id, ALLOW);
    await idle(live);
    expect(history.folder.done).toEqual([]);
    expect(calls(live).map(({ state }) => state)).toEqual(['error', 'error']);
  });
});

describe('a request and two windows', () => {
  it('is seen in the other window, where it cannot be answered', async () => {
    const live = await history.asking(window);
    const there = await (await history.open()).see(live);
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
    const live = await history.asking(window);
    const there = await (await history.open()).see(live);
    await until(there, () => there.status.owner === 'elsewhere');
    expect(await there.continueHere()).toEqual({ ok: true });
    expect(live.status).toMatchObject({ run: { kind: 'idle' } });
    expect((await waiting(there)).id).toBe((await waiting(live)).id);
    await history.allowAll(there);
    expect(await history.faults(there)).toEqual([]);
    await until(live, () => said(live).at(-1) === 'assistant, done: All done.');
  });

  it('takes the answer of one of them when both answer at once', async () => {
    const before = await history.asking(window);
    await history.shared.close(window);
    const [one, two] = [await history.open(), await history.open()];
    const [here, there] = [await one.see(before), await two.see(before)];
    const { id } = await waiting(here);
    const replies = await Promise.all([here.answer(id, ALLOW), there.answer(id, ALLOW)]);
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = replies[0].ok ? here : there;
    await history.allowAll(winner, id);
    expect(await history.faults(winner)).toEqual([]);
    window = one;
  });
});
