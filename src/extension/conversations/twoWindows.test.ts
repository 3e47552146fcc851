import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say } from '../../../test/support/ollama/chatStep';
import { OllamaServer } from '../../../test/support/ollama/ollamaServer';
import { ask, idle, opened, said } from '../../../test/support/windows/liveTalk';
import { MODEL, TestWindow, WORKSPACE } from '../../../test/support/windows/openWindow';
import { WindowProgram } from '../../../test/support/windows/windowProcess';

const OTHER_MODEL = 'other';

let folder: string;
let server: OllamaServer;
let program: WindowProgram;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-two-windows-'));
  server = await OllamaServer.start({ models: [MODEL, OTHER_MODEL] });
  program = await WindowProgram.build();
});

afterEach(async () => {
  await program.dispose();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a conversation that is open in one window', () => {
  // C02
  it('keeps a title that another window gave while this one had the conversation open', async () => {
    const here = new TestWindow(folder, { serverUrl: server.url });
    expect(await here.store.start()).toBeUndefined();
    const live = here.registry.create(WORKSPACE, MODEL);
    server.script(say('One.'));
    await ask(live, 'First');
    await idle(live);

    const [there] = await program.windows(1, folder);
    const change = { type: 'conversation_changed', title: 'Renamed over there' } as const;
    expect(await there!.do('write', [{ conversationId: live.id, at: Date.now(), change }])).toEqual(['written']);
    await there!.close();

    server.script(say('Two.'));
    await ask(live, 'Second', OTHER_MODEL);
    await idle(live);
    await here.close();

    const later = new TestWindow(folder, {});
    const again = await opened(later.registry, live.id);
    expect(again.transcript.conversation).toMatchObject({ title: 'Renamed over there', model: OTHER_MODEL });
    expect(said(again)).toEqual([
      'user, done: First',
      'assistant, done: One.',
      'user, done: Second',
      'assistant, done: Two.',
    ]);
    await later.close();
  });
});
