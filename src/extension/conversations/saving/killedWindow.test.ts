import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { OllamaServer } from '../../../../test/support/ollama/ollamaServer';
import { MODEL, ask, idle, opened, said, until } from '../../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../../test/support/windows/openWindow';
import { WindowProgram } from '../../../../test/support/windows/windowProcess';

/** A word for each chunk of the answer. */
const WORDS = Array.from({ length: 100 }, (_, index) => `word${index} `);

let folder: string;
let server: OllamaServer;
let program: WindowProgram;
let later: TestWindow;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-killed-'));
  server = await OllamaServer.start({ models: [MODEL] });
  program = await WindowProgram.build();
  later = new TestWindow(folder, { serverUrl: server.url });
});

afterEach(async () => {
  await program.dispose();
  await later.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a window that is killed in the middle of an answer', () => {
  // F09
  it('leaves the question and what had arrived of the answer, marked interrupted', async () => {
    server.script(...say(...WORDS.slice(0, 50)), holdUntil(new Gate().opened), ...say(...WORDS.slice(50)));
    const window = await program.window(folder, server.url);
    await window.do('start');
    const id = await window.do('send', 'Count');
    // Text is handed to the writer within 50 ms: what arrived before that is in the file.
    const half = WORDS.slice(0, 50).join('');
    const shown = async () => (await later.store.reader.readConversation(id))?.page.messages.at(-1)?.parts;
    await vi.waitFor(async () => expect(await shown()).toEqual([{ type: 'text', text: half }]), { timeout: 15_000 });
    await window.kill();

    expect(await later.store.start()).toBeUndefined();
    const live = await opened(later.registry, id);
    expect(said(live)).toEqual(['user, done: Count', `assistant, interrupted: ${half}`]);
    server.script(say('Fifty.'));
    await ask(live, 'How far did you come?');
    await idle(live);
    expect(said(live).slice(2)).toEqual(['user, done: How far did you come?', 'assistant, done: Fifty.']);
  });
});

describe('an answer that is stopped in the middle', () => {
  // F09
  it('is in the file with its question and what had arrived of it, marked stopped', async () => {
    const half = WORDS.slice(0, 50).join('');
    server.script(...say(...WORDS.slice(0, 50)), holdUntil(new Gate().opened), ...say(...WORDS.slice(50)));
    const live = later.registry.create(WORKSPACE, MODEL);
    await ask(live, 'Count');
    await until(live, () => said(live).at(-1)?.endsWith(half) ?? false);
    live.stop();
    await idle(live);
    await later.close();
    later = new TestWindow(folder, {});
    expect(said(await opened(later.registry, live.id))).toEqual(['user, done: Count', `assistant, stopped: ${half}`]);
  });
});
