import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientId, ConversationId } from '../../../protocol/ids';
import { MountedDisk } from '../../../../test/support/disk/mounted';
import { say } from '../../../../test/support/ollama/chatStep';
import { OllamaServer } from '../../../../test/support/ollama/ollamaServer';
import { MODEL, ask, idle, opened, said } from '../../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../../test/support/windows/openWindow';

const DISK_BYTES = 2_097_152;
const RAW = /SQLITE_|E[A-Z]{4,}|constraint failed|malformed|no such/;

/** A folder that can be made read-only: a file system of its own, or modes, which only root ignores. */
interface Lockable {
  readonly folder: string;
  lock(on: boolean): Promise<void>;
  dispose(): Promise<void>;
}

async function lockable(): Promise<Lockable | undefined> {
  const mounted = await MountedDisk.mount(DISK_BYTES);
  if (mounted !== undefined) {
    return { folder: mounted.folder, lock: (on) => mounted.readOnly(on), dispose: () => mounted.dispose() };
  }
  if (process.platform === 'win32' || process.getuid?.() === 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-read-only-'));
  return {
    folder,
    lock: async (on) => {
      await chmod(join(folder, 'owners'), on ? 0o555 : 0o755);
      await chmod(folder, on ? 0o555 : 0o755);
    },
    dispose: () => rm(folder, { recursive: true }),
  };
}

let place: Lockable | undefined;
let server: OllamaServer;
let window: TestWindow | undefined;

beforeEach(async () => {
  place = await lockable();
  server = await OllamaServer.start({ models: [MODEL] });
});

afterEach(async () => {
  await window?.close();
  await server.close();
  await place?.lock(false);
  await place?.dispose();
});

/** A history with one conversation, in a folder that cannot be written any more. */
async function writtenBefore(where: Lockable): Promise<ConversationId> {
  const before = new TestWindow(where.folder, { serverUrl: server.url });
  const live = before.registry.create(WORKSPACE, MODEL);
  server.script(say('It is saved.'));
  await ask(live, 'Before');
  await idle(live);
  await before.close();
  await where.lock(true);
  return live.id;
}

// C13
describe('a folder that cannot be written', () => {
  it('costs neither what is there nor the chat, and is said in plain words', async (context) => {
    if (place === undefined) return context.skip('root ignores modes, and nothing may be mounted here');
    const id = await writtenBefore(place);
    window = new TestWindow(place.folder, { serverUrl: server.url });
    expect((await window.store.start())?.sentence).not.toMatch(RAW);

    const list = await window.registry.list(WORKSPACE);
    expect(list).toMatchObject({ ok: true, value: [{ id, title: 'Before', messageCount: 2 }] });
    const old = await opened(window.registry, id);
    expect(said(old)).toEqual(['user, done: Before', 'assistant, done: It is saved.']);
    const reply = await old.send('x' as ClientId, 'More', MODEL);
    expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('Your message was not sent') });
    expect(reply).toMatchObject({ message: expect.not.stringMatching(RAW) });

    const fresh = window.registry.create(WORKSPACE, MODEL);
    server.script(say('I do.'));
    await ask(fresh, 'Do you work?');
    await idle(fresh);
    expect(said(fresh)).toEqual(['user, done: Do you work?', 'assistant, done: I do.']);
    expect(fresh.status.save).toMatchObject({ kind: 'unsaved', why: expect.not.stringMatching(RAW) });
  });

  it('is written as soon as it can be', async (context) => {
    if (place === undefined) return context.skip('root ignores modes, and nothing may be mounted here');
    const id = await writtenBefore(place);
    window = new TestWindow(place.folder, { serverUrl: server.url });
    await window.store.start();
    const fresh = window.registry.create(WORKSPACE, MODEL);
    server.script(say('Soon.'));
    await ask(fresh, 'When is it saved?');
    await idle(fresh);
    await place.lock(false);
    await window.close();
    window = new TestWindow(place.folder, {});
    const list = await window.store.reader.listConversations(WORKSPACE.key);
    expect(list.map((each) => each.id)).toEqual([fresh.id, id]);
  });
});
