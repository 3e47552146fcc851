import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callTool, holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { hastyClock } from '../../../../test/support/windows/hastyClock';
import { ask, idle, MODEL, said, until } from '../../../../test/support/windows/liveTalk';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

describe('“Continue here”', () => {
  it('is granted by the window that runs it: its answer ends as interrupted, and it follows from then on', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(say('Half'), holdUntil(new Gate().opened));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    const other = await two.see(live);
    const took = vi.spyOn(two.store, 'takeOver');
    expect(await other.continueHere()).toEqual({ ok: true });
    expect(await took.mock.results[0]?.value).toBe('yielded');
    expect(said(other)).toEqual(['user, done: Go', 'assistant, interrupted: Half']);
    expect(other.transcript.messages[1]?.reason).toBe('takeover');
    expect(other.status.owner).toBe('none');
    await idle(live);
    const release = new Gate();
    history.server.script(say('Here'), holdUntil(release.opened), say(' now.'));
    await ask(other, 'Go on');
    await until(live, () => live.status.owner === 'elsewhere' && (said(live).at(-1)?.endsWith('Here') ?? false));
    release.open();
    await idle(other);
    await until(live, () => live.status.owner === 'none');
    expect(live.transcript).toEqual(other.transcript);
  });

  it('waits for a tool that runs, if it is quick, so that its result is known', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    history.server.script(callTool('list_files', { path: '.' }));
    const never = new Gate();
    history.server.script(holdUntil(never.opened));
    await ask(live, 'Go');
    await history.server.nextChat();
    const other = await two.see(live);
    expect(await other.continueHere()).toEqual({ ok: true });
    const tool = other.transcript.messages[1]?.parts[0];
    expect(tool).toMatchObject({ type: 'tool', state: 'done' });
  });

  it('needs no answer of a window that hangs: its run is ended, and what it still writes is refused', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const release = new Gate();
    history.server.script(say('Half'), holdUntil(release.opened), say(' and far too late'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    await expect.poll(() => history.chunks()).toBe('Half');
    const other = await two.see(live);
    one.watch.dispose(); // It lives, but looks at nothing any more.
    expect(await other.continueHere()).toEqual({ ok: true });
    expect(said(other).at(-1)).toBe('assistant, interrupted: Half');
    history.server.script(say('Here.'));
    await ask(other, 'Go on');
    await idle(other);
    release.open();
    await until(live, () => live.status.owner === 'elsewhere');
    await until(live, () => said(live).length === 4);
    expect(said(await history.reopened(live))).toEqual([
      'user, done: Go',
      'assistant, interrupted: Half',
      'user, done: Go on',
      'assistant, done: Here.',
    ]);
  });

  it('takes along what waits in the queue, in its order, and no Bypass: that was given to the other window', async () => {
    const options = { watchClock: hastyClock };
    const [one, two] = [await history.open(options), await history.open(options)];
    const live = one.create();
    history.server.script(say('Half'), holdUntil(new Gate().opened));
    live.setMode('bypass');
    await ask(live, 'Go');
    for (const text of ['First', 'Second']) await ask(live, text);
    const [first, second] = live.status.queue;
    if (first === undefined || second === undefined) throw new Error('nothing waits');
    live.moveQueued(second.clientId, first.clientId);
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    await expect.poll(() => live.status.save.kind).toBe('saved');
    const other = await two.see(live);
    expect(await other.continueHere()).toEqual({ ok: true });
    expect(other.status).toMatchObject({ mode: 'ask', queue: [{ text: 'Second' }, { text: 'First' }] });
    await idle(live);
    // Nothing of it is sent before the person says so.
    expect(said(live)).toEqual(['user, done: Go', 'assistant, interrupted: Half']);
    for (const text of ['One.', 'Two.']) history.server.script(say(text));
    expect(await other.sendQueued(second.clientId, MODEL)).toEqual({ ok: true });
    await until(other, () => said(other).at(-1) === 'assistant, done: Two.');
    await until(live, () => said(live).at(-1) === 'assistant, done: Two.');
    expect(said(live).slice(2)).toEqual([
      'user, done: Second',
      'assistant, done: One.',
      'user, done: First',
      'assistant, done: Two.',
    ]);
    expect(live.status).toMatchObject({ mode: 'ask', queue: [] });
  });

  it('stops a summary of older messages, and what was said stays as it was', async () => {
    const options = { watchClock: hastyClock };
    const [one, two] = [await history.open(options), await history.open(options)];
    const live = one.create();
    for (const text of ['One.', 'Two.']) {
      history.server.script(say(text));
      await ask(live, 'Go on');
      await idle(live);
    }
    const before = said(live);
    history.server.script(say('What was said'), holdUntil(new Gate().opened));
    const compacted = live.compact(MODEL);
    const other = await two.see(live);
    await until(other, () => other.status.owner === 'elsewhere');
    expect(await other.continueHere()).toEqual({ ok: true });
    await compacted;
    expect([said(live), said(other)]).toEqual([before, before]);
    expect([live.status.run.kind, other.status.owner]).toEqual(['idle', 'none']);
  });

  it('says in words when the file cannot be written, and changes nothing', async () => {
    const [one, two] = [await history.open(), await history.open()];
    const live = one.create();
    const release = new Gate();
    history.server.script(say('Slowly'), holdUntil(release.opened), say('.'));
    await ask(live, 'Go');
    await until(live, () => said(live).at(-1)?.endsWith('Slowly') ?? false);
    const other = await two.see(live);
    const lock = await history.lock();
    expect(await other.continueHere()).toEqual({
      ok: false,
      message: 'Another window is writing to the history file. It still runs in the other window.',
    });
    expect(other.status.owner).toBe('elsewhere');
    await lock.letGo();
    release.open();
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Slowly.');
  });
});
