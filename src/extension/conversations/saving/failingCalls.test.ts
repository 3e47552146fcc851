import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callTool, holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { FailingStatements } from '../../../../test/support/storage/failingStatements';
import { allowNext, AskingHistory, write } from '../../../../test/support/windows/askingHistory';
import { ask, calls, idle, MODEL, said, until, waiting } from '../../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../../test/support/windows/openWindow';
import type { ClientId } from '../../../protocol/ids';
import { Connection } from '../../storage/connection';
import { StorageError } from '../../storage/storageError';
import type { LiveConversation } from '../liveConversation';

const RAW = /SQLITE_|constraint failed|malformed|no such/;

let history: AskingHistory;
let failing: FailingStatements;
let window: TestWindow;
let live: LiveConversation;

beforeEach(async () => {
  history = await AskingHistory.make();
  failing = new FailingStatements(history.shared.folder);
  window = await history.open();
  live = window.create();
  live.setMode('bypass');
});

afterEach(async () => {
  vi.restoreAllMocks();
  failing.dispose();
  await history.remove();
});

/** The reasons for which the call of each command or edit was asked for; none: it was not. */
function asked(): readonly string[] {
  return calls(live).map(({ name, approval }) => `${name}: ${approval?.reasons.join() ?? 'not asked'}`);
}

describe('calls in Bypass while the file fails', () => {
  it.each(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_BUSY'])(
    'with %s read as they like, ask before anything else, and ask no more when it works again',
    async (code) => {
      const { server } = history.shared;
      failing.fail(code);
      server.script(callTool('list_files', { path: '.' }));
      server.script(write('new'));
      server.script(say('Written.'));
      await ask(live, 'Write it.');
      const { reasons } = await waiting(live);
      expect(reasons).toEqual(['unsaved']);
      expect(history.folder.done).toEqual([]);
      expect(live.status.save).toMatchObject({ kind: 'unsaved', why: expect.not.stringMatching(RAW) });
      await allowNext(live);
      await idle(live);
      failing.work();
      window.store.retryNow();
      await expect.poll(() => live.status.save.kind).toBe('saved');
      server.script(callTool('run_command', { command: 'make' }));
      server.script(say('Made.'));
      await ask(live, 'Make it.');
      await idle(live);
      expect(asked()).toEqual(['list_files: not asked', 'write_file: unsaved', 'run_command: not asked']);
      expect(history.folder.done).toEqual(['write a.ts', 'wrote a.ts', 'run make']);
      expect((await history.shared.reopened(live)).transcript).toEqual(live.transcript);
      const versions = await window.store.reader.readFileVersions(live.id, 1, 99);
      expect(versions).toMatchObject([{ path: '/a.ts', state: 'applied' }]);
    },
  );

  it('ask when the file refuses for good that they begin, which is counted, also in another window', async () => {
    const { server } = history.shared;
    failing.refuse('make mark');
    server.script(callTool('run_command', { command: 'make mark' }));
    server.script(callTool('run_command', { command: 'make' }));
    server.script(say('Made.'));
    await ask(live, 'Make it.');
    expect((await waiting(live)).reasons).toEqual(['unsaved']);
    expect(history.folder.done).toEqual([]);
    await allowNext(live);
    await idle(live);
    expect(history.folder.done).toEqual(['run make mark', 'run make']);
    expect(asked()).toEqual(['run_command: unsaved', 'run_command: not asked']);
    expect(said(live).at(-1)).toBe('assistant, done: Made.');
    const { save } = live.status;
    expect(save).toMatchObject({ kind: 'rejected', why: expect.not.stringMatching(RAW) });
    expect((await history.shared.reopened(live)).status.save).toEqual(save);
  });

  it('can be stopped, and what is written then is taken, in a conversation of this window', async () => {
    failing.fail('SQLITE_FULL');
    history.shared.server.script(say('Half'), holdUntil(new Gate().opened));
    await ask(live, 'Talk.');
    await until(live, () => said(live).at(-1)?.endsWith('Half') ?? false);
    live.stop();
    await idle(live);
    history.shared.server.script(say('Yes.'));
    await ask(live, 'Are you there?');
    await idle(live);
    expect(said(live).slice(1)).toEqual([
      'assistant, stopped: Half',
      'user, done: Are you there?',
      'assistant, done: Yes.',
    ]);
    const other = await history.open();
    const id = randomUUID() as ClientId;
    failing.work();
    window.store.retryNow();
    await expect.poll(() => live.status.save.kind).toBe('saved');
    const there = await other.see(live);
    failing.fail('SQLITE_IOERR_WRITE');
    // Another window may run it meanwhile.
    const reply = await there.send(id, 'And now?', MODEL);
    expect(reply).toMatchObject({ ok: false, offer: 'fork', message: expect.not.stringMatching(RAW) });
    expect(there.transcript).toEqual(live.transcript);
  });
});

describe('a history file that cannot be opened', () => {
  it.each([
    ['is damaged', new StorageError('damaged', 'SQLITE_NOTADB', 'file is not a database', 'The file is damaged.')],
    ['is of a newer build', StorageError.newer(99)],
    ['has no driver', StorageError.driver(new Error('no such file'))],
  ])('costs neither the chat nor the question before effects, when it %s', async (_, error) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-unopened-'));
    vi.spyOn(Connection, 'open').mockRejectedValue(error);
    const { server } = history.shared;
    const closed = new TestWindow(folder, { serverUrl: server.url, tools: [history.folder.runCommand] });
    expect(await closed.store.start()).toBe(error);
    live = closed.registry.create(WORKSPACE, MODEL);
    live.setMode('bypass');
    server.script(callTool('run_command', { command: 'make' }));
    server.script(say('Made.'));
    await ask(live, 'Make it.');
    expect((await waiting(live)).reasons).toEqual(['unsaved']);
    await allowNext(live);
    await idle(live);
    expect(said(live).at(-1)).toBe('assistant, done: Made.');
    expect(live.status.save).toMatchObject({ kind: 'unsaved', why: error.sentence });
    expect(error.sentence).not.toMatch(RAW);
    vi.restoreAllMocks();
    closed.store.retryNow();
    await expect.poll(() => live.status.save.kind).toBe('saved');
    expect((await closed.store.reader.readConversation(live.id))?.page.messages).toEqual(live.transcript.messages);
    await closed.close();
    await rm(folder, { recursive: true });
  });
});
