import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say } from '../../../../test/support/ollama/chatStep';
import { AskingHistory } from '../../../../test/support/windows/askingHistory';
import { ask, calls, idle, MODEL, said, until } from '../../../../test/support/windows/liveTalk';
import type { TestWindow } from '../../../../test/support/windows/openWindow';
import type { ClientId } from '../../../protocol/ids';

let history: AskingHistory;
let window: TestWindow;

beforeEach(async () => {
  history = await AskingHistory.make();
  window = await history.open();
});

afterEach(() => history.remove());

describe('work outside of a turn', () => {
  it('is done alone, written like a turn, and refused in words while something goes on or waits', async () => {
    const live = await history.asking(window);
    const nothing = (): Promise<{ ok: true }> => Promise.resolve({ ok: true });
    expect(await live.workClaimed(nothing)).toMatchObject({ ok: false, message: expect.stringContaining('leave') });
    await history.allowAll(live);
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
    const again = await history.shared.reopened(live);
    expect(calls(again)[0]?.result?.content).toBe('taken back');
    const versions = await window.store.reader.readFileVersions(live.id, 1, 9);
    expect(versions).toMatchObject([{ seq: 2, idx: 0, state: 'undone' }]);
  });

  it('says so when it failed, and the conversation goes on', async () => {
    const live = await history.begun(window);
    expect(await live.workClaimed(() => Promise.reject(new Error('fault')))).toMatchObject({ ok: false });
    history.shared.server.script(say('Still here.'));
    await ask(live, 'And now?');
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Still here.');
  });

  it('lets a message wait that is written meanwhile, and sends it afterwards', async () => {
    const live = await history.begun(window);
    history.shared.server.script(say('Second.'));
    await live.workClaimed(async () => live.send(randomUUID() as ClientId, 'Next', MODEL));
    await until(live, () => said(live).at(-1) === 'assistant, done: Second.');
    await idle(live);
  });
});
