import { afterEach, beforeEach, expect, describe, it } from 'vitest';
import { Gate } from '../../../../test/support/ollama/gate';
import { holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { ManualClock } from '../../../../test/support/manualClock';
import { ScriptedClient } from '../../../../test/support/scriptedClient';
import { ask, idle, MODEL } from '../../../../test/support/windows/liveTalk';
import { OTHER_MODEL, SharedHistory } from '../../../../test/support/windows/sharedHistory';
import { ViewSession } from './viewSession';
import { WindowFactsWatch } from '../facts/windowFacts';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

describe('the view of a conversation that runs in another window', () => {
  it('chooses no model, neither for it nor for what comes next', async () => {
    const [running, following] = [await history.open(), await history.open()];
    const live = running.create();
    const release = new Gate();
    history.server.script(say('Well'), holdUntil(release.opened));
    await ask(live, 'One');
    await expect.poll(() => live.status.save.kind).toBe('saved');
    const there = await following.see(live);
    expect(there.status.owner).toBe('elsewhere');

    const clock = new ManualClock();
    const client = new ScriptedClient();
    client.models = [{ name: MODEL }, { name: OTHER_MODEL }];
    const remembered: string[] = [];
    const facts = new WindowFactsWatch(
      {
        folder: () => undefined,
        remote: () => undefined,
        memory: () => 0,
        offers: () => Promise.resolve([]),
        useHost: () => Promise.resolve(),
        server: () => ({ host: 'h', client }),
        lastModel: () => remembered.at(-1),
        remember: (model) => remembered.push(model),
      },
      clock,
    );
    const session = new ViewSession({ store: following.store, clock, facts }, { post: () => undefined }, there);
    expect(session.chooseModel({ conversationId: there.id, model: OTHER_MODEL })).toEqual({
      ok: false,
      message: 'This conversation runs in another window. You can write here when it ends.',
    });
    expect(remembered).toEqual([]);

    release.open();
    await idle(live);
    await expect.poll(() => there.status.owner).toBe('none');
    expect(session.chooseModel({ conversationId: there.id, model: OTHER_MODEL })).toEqual({ ok: true });
    expect([there.transcript.conversation.model, ...remembered]).toEqual([OTHER_MODEL, OTHER_MODEL]);
    session.dispose();
    facts.dispose();
  });
});
