import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/extension/base/clock';
import { silentLog } from '../../src/extension/base/log';
import { ConversationRegistry } from '../../src/extension/conversations/registry';
import { OllamaClient } from '../../src/extension/ollama/ollamaClient';
import { testHost } from '../support/tools/testHost';
import { ToolRegistry } from '../../src/extension/tools/registry';
import type { Tool } from '../../src/extension/tools/tool';
import { faultsOf } from '../support/ollama/bodyChecks';
import { callTools, say } from '../support/ollama/chatStep';
import { Gate } from '../support/ollama/gate';
import { ask, idle, said } from '../support/windows/liveTalk';
import { WORKSPACE } from '../support/windows/openWindow';
import { SharedHistory } from '../support/windows/sharedHistory';
import { testSettings } from '../support/windows/turnSettings';

let history: SharedHistory;
let started: Gate;

beforeEach(async () => {
  history = await SharedHistory.make();
  started = new Gate();
});

afterEach(() => history.remove());

/** A tool that does not look at its signal and never returns. */
const hangs = (): Tool => ({
  name: 'hang',
  description: 'Never returns.',
  parameters: { type: 'object', properties: {} },
  example: {},
  readOnly: false,
  plan: () =>
    Promise.resolve({
      kind: 'ready',
      run: () => {
        started.open();
        return new Promise(() => undefined);
      },
    }),
});

// K02
describe('A tool that never returns', () => {
  it('is ended by Stop with a result of ours, and so is the call behind it; the next request is valid', async () => {
    const { store, watch } = await history.open();
    const tools = new ToolRegistry([hangs()], silentLog);
    const host = testHost(history.folder);
    const client = new OllamaClient(history.server.url, systemClock, silentLog);
    const registry = new ConversationRegistry({
      store,
      watch,
      clock: systemClock,
      rescued: () => undefined,
      log: silentLog,
      windowsOf: () => ({}),
      isTrusted: () => true,
      prepareTurn: () =>
        Promise.resolve(
          testSettings(client, {
            tools: tools.bound(host),
          }),
        ),
    });
    const live = registry.create(WORKSPACE, undefined);
    history.server.script(
      callTools([
        { name: 'hang', arguments: { first: true } },
        { name: 'hang', arguments: {} },
      ]),
    );
    history.server.script(say('I went on.'));
    await ask(live, 'Hang');
    await started.opened;
    live.stop();
    await idle(live);
    expect(live.transcript.messages[1]?.parts).toMatchObject([{ state: 'interrupted' }, { state: 'expired' }]);
    await ask(live, 'And now?');
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: I went on.');
    const body = history.server.chats[1]?.chat;
    expect(faultsOf(history.server.chats[1]?.body, { question: 'And now?' })).toEqual([]);
    expect(body?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content)).toEqual([
      expect.stringContaining('interrupted'),
      expect.stringContaining('not run'),
    ]);
  });
});
