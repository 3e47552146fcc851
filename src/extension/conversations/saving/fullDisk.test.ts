import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MountedDisk } from '../../../../test/support/disk/mounted';
import { holdUntil, say } from '../../../../test/support/ollama/chatStep';
import { Gate } from '../../../../test/support/ollama/gate';
import { OllamaServer } from '../../../../test/support/ollama/ollamaServer';
import { MODEL, ask, idle, opened, said, until } from '../../../../test/support/windows/liveTalk';
import { TestWindow, WORKSPACE } from '../../../../test/support/windows/openWindow';
import { Connection } from '../../storage/connection';
import { StorageError } from '../../storage/storageError';
import type { LiveConversation } from '../liveConversation';

const DISK_BYTES = 2_097_152;

/** A disk that can be filled to the last byte. */
interface Disk {
  readonly folder: string;
  fill(): Promise<void>;
  free(): Promise<void>;
  dispose(): Promise<void>;
}

/** A real one where a test may mount it, else one that says it is full whenever something is to be written. */
async function smallDisk(): Promise<Disk> {
  const mounted = await MountedDisk.mount(DISK_BYTES);
  if (mounted !== undefined) {
    const filler = join(mounted.folder, 'filler');
    return {
      folder: mounted.folder,
      fill: () => fillDisk(filler),
      free: () => rm(filler),
      dispose: () => mounted.dispose(),
    };
  }
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-full-'));
  return {
    folder,
    fill: () => {
      const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      vi.spyOn(Connection.prototype, 'transaction').mockImplementation(function (this: Connection, kind, task) {
        return kind === 'write' ? Promise.reject(StorageError.from(full)) : this.exclusive(task);
      } as Connection['transaction']);
      return Promise.resolve();
    },
    free: () => Promise.resolve(void vi.restoreAllMocks()),
    dispose: () => rm(folder, { recursive: true }),
  };
}

async function fillDisk(file: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    for (let bytes = 65_536; bytes >= 1;) {
      try {
        const { bytesWritten } = await handle.write(Buffer.alloc(bytes));
        if (bytesWritten < bytes) bytes = Math.floor(bytes / 2);
      } catch {
        bytes = Math.floor(bytes / 2);
      }
    }
  } finally {
    await handle.close();
  }
}

let disk: Disk;
let server: OllamaServer;
let windows: TestWindow[];

beforeEach(async () => {
  disk = await smallDisk();
  server = await OllamaServer.start({ models: [MODEL] });
  windows = [];
});

afterEach(async () => {
  for (const window of windows) await window.close();
  await server.close();
  vi.restoreAllMocks();
  await disk.dispose();
});

async function openWindow(): Promise<TestWindow> {
  const window = new TestWindow(disk.folder, { serverUrl: server.url });
  windows.push(window);
  expect(await window.store.start()).toBeUndefined();
  return window;
}

const BEFORE = Array.from({ length: 50 }, (_, index) => `word${index} `);
const AFTER = Array.from({ length: 50 }, (_, index) => `${'more'.repeat(100)}${index} `);

/** A conversation in whose answer the disk becomes full: half of it is written by then, the rest is not. */
async function answeredOnFullDisk(window: TestWindow): Promise<LiveConversation> {
  const live = window.registry.create(WORKSPACE, MODEL);
  const [half, end] = [new Gate(), new Gate()];
  server.script(...say(...BEFORE), holdUntil(half.opened), ...say(...AFTER), holdUntil(end.opened));
  await ask(live, 'Count');
  await until(
    live,
    () =>
      said(live)
        .at(-1)
        ?.endsWith(BEFORE.at(-1) ?? '') ?? false,
  );
  const file = new TestWindow(disk.folder, {});
  const stored = async () => (await file.store.reader.readConversation(live.id))?.page.messages.at(-1)?.parts;
  await vi.waitFor(async () => expect(await stored()).toEqual([{ type: 'text', text: BEFORE.join('') }]));
  await file.close();
  await disk.fill();
  half.open();
  await until(live, () => live.status.save.kind === 'unsaved');
  expect(live.status.save).toMatchObject({ why: 'The disk is full.' });
  end.open();
  await idle(live);
  expect(said(live)).toEqual(['user, done: Count', `assistant, done: ${[...BEFORE, ...AFTER].join('')}`]);
  return live;
}

// D01
describe('a disk that becomes full in the middle of an answer', () => {
  it('costs nothing when there is space again before the window closes', async () => {
    const window = await openWindow();
    const live = await answeredOnFullDisk(window);
    await disk.free();
    window.store.retryNow();
    await until(live, () => live.status.save.kind === 'saved');
    windows = [];
    await window.close();
    const again = await opened((await openWindow()).registry, live.id);
    expect(again.transcript).toEqual(live.transcript);
  });

  it('costs the end of that answer at most, marked, when the window closes with it', async () => {
    const window = await openWindow();
    const live = await answeredOnFullDisk(window);
    windows = [];
    await window.close();
    await disk.free();
    const again = await opened((await openWindow()).registry, live.id);
    const [question, answer] = said(again);
    expect(question).toBe('user, done: Count');
    expect(answer).toMatch(/^assistant, interrupted: /);
    const text = answer?.replace('assistant, interrupted: ', '') ?? '';
    expect(text.startsWith(BEFORE.join(''))).toBe(true);
    expect([...BEFORE, ...AFTER].join('').startsWith(text)).toBe(true);
    server.script(say('Yes.'));
    await ask(again, 'Is there space again?');
    await idle(again);
    expect(said(again).slice(2)).toEqual(['user, done: Is there space again?', 'assistant, done: Yes.']);
  });
});
