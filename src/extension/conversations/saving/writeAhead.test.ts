import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UndoFolder } from '../../../../test/support/agent/undoFolder';
import { bareDone, callTool, cutOff, say } from '../../../../test/support/ollama/chatStep';
import { SlowCommits } from '../../../../test/support/storage/slowCommits';
import { AskingHistory, allowNext, write } from '../../../../test/support/windows/askingHistory';
import { ask, idle, MODEL, said, until, waiting } from '../../../../test/support/windows/liveTalk';
import type { TestWindow } from '../../../../test/support/windows/openWindow';
import { OllamaClient } from '../../ollama/ollamaClient';
import type { LiveConversation } from '../liveConversation';

const LONG = 'some words of a longer thought '.repeat(60);

let history: AskingHistory;
let window: TestWindow;
let live: LiveConversation;
/** What left the window or changed something, each with the changes that the file had not taken yet. */
let done: string[];

beforeEach(async () => {
  history = await AskingHistory.make();
  done = [];
  window = await slowWindow();
  live = window.create();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await history.remove();
});

/** A window whose file answers late, and in which it is noted what does not wait for that. */
async function slowWindow(): Promise<TestWindow> {
  const opened = await history.open({ contextLength: 4_096 });
  const commits = new SlowCommits(opened.store);
  const note = (what: string): void => void done.push([what, ...commits.waiting].join(', before: '));
  const chat = Reflect.get(OllamaClient.prototype, 'chat') as OllamaClient['chat'];
  vi.spyOn(OllamaClient.prototype, 'chat').mockImplementation(function (this: OllamaClient, request, signal) {
    note(request.messages[0]?.content.includes('summary of a conversation') === true ? 'summary' : 'request');
    return chat.call(this, request, signal);
  });
  history.folder.pause = (what) => {
    note(`${history.folder.done.at(-1) ?? what}`);
    return Promise.resolve();
  };
  return opened;
}

describe('what is done waits until what led to it is in the file:', () => {
  it('requests, those after calls, tools, edits, commands, and what is answered again', async () => {
    const { server } = history.shared;
    server.script(callTool('list_files', { path: '.' }));
    server.script(write('new'));
    server.script(callTool('run_command', { command: 'make' }));
    server.script(say('All ', 'done.'));
    await ask(live, 'Write it.');
    await allowNext(live, await allowNext(live));
    await idle(live);
    server.script(say('Half of'), cutOff());
    await ask(live, 'And?');
    await idle(live);
    server.script(say('Whole.'));
    expect(await live.retry(MODEL)).toEqual({ ok: true });
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Whole.');
    const turn = ['request', 'request', 'write a.ts', 'request', 'run make', 'request'];
    expect(done).toEqual([...turn, 'request', 'request']);
  });

  it('a message of the queue, and the request that is made again after an empty answer', async () => {
    const { server } = history.shared;
    server.script(callTool('run_command', { command: 'make' }));
    server.script(say('Made.'));
    server.script(bareDone());
    server.script(say('Yes.'));
    await ask(live, 'Make it.');
    const { id } = await waiting(live);
    await ask(live, 'Is it made?');
    await live.answer(id, { kind: 'allow' });
    await until(live, () => said(live).at(-1) === 'assistant, done: Yes.');
    await idle(live);
    expect(done).toEqual(['request', 'run make', 'request', 'request', 'request']);
  });

  it('a summary, within a turn and when it is asked for, and the request after it', async () => {
    const { server } = history.shared;
    const isTurn = (request: { readonly tools?: unknown }): boolean => request.tools !== undefined;
    for (let step = 0; step < 12; step += 1)
      server.scriptFor(isTurn, say(LONG), callTool('list_files', { path: '.', note: String(step) }));
    server.scriptFor(isTurn, say('Done.'));
    server.fallback = () => say('They looked around.');
    await ask(live, 'Look around.');
    await idle(live);
    expect(done).toContain('summary');
    server.scriptFor(isTurn, say('Well.'));
    await ask(live, 'And?');
    await idle(live);
    expect(await live.compact(MODEL)).toEqual({ ok: true });
    expect(done.at(-1)).toBe('summary');
    expect(done.filter((what) => what.includes('before'))).toEqual([]);
  });

  it('undo and redo, and a call that waited in a window that is gone', async () => {
    const { server } = history.shared;
    const undo = new UndoFolder(history.folder);
    server.script(write('new'));
    server.script(say('Written.'));
    await ask(live, 'Write it.');
    await allowNext(live);
    await idle(live);
    const seq = live.transcript.messages[0]?.seq;
    expect(await undo.undo(live, window.store, 'undo', seq)).toEqual({ ok: true });
    expect(await undo.undo(live, window.store, 'redo', seq)).toEqual({ ok: true });
    server.script(callTool('run_command', { command: 'make' }));
    await ask(live, 'Make it.');
    await waiting(live);
    await history.shared.kill(window);
    vi.restoreAllMocks();
    const next = await slowWindow();
    const again = await next.see(live);
    server.script(say('Made.'));
    await allowNext(again);
    await idle(again);
    const turn = ['request', 'write a.ts', 'request', 'put a.ts', 'put a.ts'];
    expect(done).toEqual([...turn, 'request', 'run make', 'request']);
  });
});
