import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, say } from '../../../../test/support/ollama/chatStep';
import { ask, idle } from '../../../../test/support/windows/liveTalk';
import { WORKSPACE } from '../../../../test/support/windows/openWindow';
import { SharedHistory } from '../../../../test/support/windows/sharedHistory';
import { testSettings } from '../../../../test/support/windows/turnSettings';
import type { Message } from '../../../protocol/message';
import { systemClock } from '../../base/clock';
import { silentLog } from '../../base/log';
import { OllamaClient } from '../../ollama/ollamaClient';
import { FileWatch } from '../windows/fileWatch';
import { ConversationRegistry } from '../registry';

const SECRET = 'zebra-7421-background';

let history: SharedHistory;

beforeEach(async () => {
  history = await SharedHistory.make();
});

afterEach(() => history.remove());

describe('What goes along with every request', () => {
  it('is told to the model each time, asked for with the conversation so far, and never stored', async () => {
    const { store } = await history.open();
    const client = new OllamaClient(history.server.url, systemClock, silentLog);
    const seen: (readonly Message[])[] = [];
    const registry = new ConversationRegistry({
      store,
      watch: new FileWatch(store, systemClock, silentLog),
      clock: systemClock,
      rescued: () => undefined,
      log: silentLog,
      windowsOf: () => ({}),
      isTrusted: () => true,
      prepareTurn: ({ messages }) => {
        seen.push(messages);
        return Promise.resolve(testSettings(client, { background: SECRET, systemPrompt: `${SECRET} prompt` }));
      },
    });
    const live = registry.create(WORKSPACE, undefined);
    history.server.script(callTool('one', { path: 'src/a.ts' }));
    history.server.script(say('Fine.'));
    await ask(live, 'zebra-question');
    await idle(live);
    history.server.script(say('Again.'));
    await ask(live, 'Once more');
    await idle(live);
    const { chats } = history.server;
    expect(chats).toHaveLength(3);
    for (const { chat } of chats) {
      expect(chat.messages?.[0]).toMatchObject({ role: 'system', content: `${SECRET} prompt` });
      expect(chat.messages?.[1]).toMatchObject({ role: 'user', content: `${SECRET}\n\nzebra-question` });
    }
    expect(seen.map((messages) => messages.length)).toEqual([1, 4]);
    expect(JSON.stringify(live.transcript)).not.toContain(SECRET);
    await registry.dispose();
    await store.checkpoint();
    const files = (await readdir(history.folder)).filter((name) => name.startsWith('holdfast.db'));
    const contents = await Promise.all(files.map((name) => readFile(join(history.folder, name))));
    expect(contents.some((bytes) => bytes.includes('zebra-question'))).toBe(true);
    expect(contents.some((bytes) => bytes.includes(SECRET))).toBe(false);
  });
});
