import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/extension/base/log';
import { ConversationRegistry } from '../../src/extension/conversations/registry';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import { OllamaClient } from '../../src/extension/ollama/ollamaClient';
import { ManualClock } from '../support/manualClock';
import { holdUntil, say } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { ask, idle, said, until } from '../support/windows/liveTalk';
import { WORKSPACE } from '../support/windows/openWindow';
import { SharedHistory } from '../support/windows/sharedHistory';
import { testSettings } from '../support/windows/turnSettings';

const STEP_MS = 10_000;

let history: SharedHistory;
let clock: ManualClock;
let live: LiveConversation;

beforeEach(async () => {
  history = await SharedHistory.make();
  clock = new ManualClock(1_000_000);
  const { store, watch } = await history.open();
  const client = new OllamaClient(history.server.url, clock, silentLog);
  const registry = new ConversationRegistry({
    store,
    watch,
    clock,
    rescued: () => undefined,
    log: silentLog,
    windowsOf: () => ({}),
    isTrusted: () => true,
    prepareTurn: () => Promise.resolve(testSettings(client)),
  });
  live = registry.create(WORKSPACE, undefined);
});

afterEach(() => history.remove());

/** Time goes by in steps, so that what is set off by one of them happens before the next. */
async function passes(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    clock.advance(Math.min(left, STEP_MS));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('Silence of 400 s', () => {
  it('before the first token ends nothing: it is shown as waiting, and the answer comes', async () => {
    const end = new Gate();
    history.server.script(holdUntil(end.opened), say('At last.'));
    await ask(live, 'Take your time');
    const chat = await history.server.nextChat();
    await passes(400_000);
    expect(live.status.run.kind).toBe('waiting');
    expect(chat.closedByClientAt).toBeUndefined();
    end.open();
    await idle(live);
    expect(said(live)).toEqual(['user, done: Take your time', 'assistant, done: At last.']);
    expect(history.server.chats).toHaveLength(1);
  });

  it('is ended by Stop at once, and the server sees the connection close', async () => {
    history.server.script(holdUntil(new Gate().opened));
    await ask(live, 'Take your time');
    const chat = await history.server.nextChat();
    await passes(400_000);
    live.stop();
    await chat.closed;
    await idle(live);
    expect(said(live)).toEqual(['user, done: Take your time', 'assistant, stopped: ']);
  });

  it('between two pieces ends nothing either', async () => {
    const end = new Gate();
    history.server.script(say('Half'), holdUntil(end.opened), say(' and whole.'));
    await ask(live, 'Take your time');
    await until(live, () => said(live)[1]?.includes('Half') === true);
    await passes(400_000);
    expect(live.status.run.kind).toBe('writing');
    end.open();
    await idle(live);
    expect(said(live)).toEqual(['user, done: Take your time', 'assistant, done: Half and whole.']);
    expect(history.server.chats).toHaveLength(1);
  });
});
