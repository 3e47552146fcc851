import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createConversation,
  message,
  startRun,
  StoreFolder,
  write,
} from '../../../../test/support/storage/storeFolder';
import type { TranscriptEvent } from '../../../protocol/event';
import type { ConversationId } from '../../../protocol/ids';
import type { ToolPart } from '../../../protocol/part';
import { fold, type Transcript } from '../../../protocol/transcript';
import type { FileState } from '../../base/fileVersion';
import type { Change } from '../../storage/change';
import type { Store } from '../../storage/store';
import type { UnsavedEditors } from '../../tools/files/unsavedEditors';
import type { Conflict } from './undo';
import { undoFiles } from './undoFiles';
import { undoInConversation, type UndoAsked, type UndoneConversation, type UndoReport } from './undoTurn';

const noEditors: UnsavedEditors = { text: () => undefined, replace: () => Promise.resolve(false) };

/** UTF-16 with its mark and CRLF: nothing that reads it as UTF-8 gives it back. */
const UTF16 = Buffer.from('\ufeffone\r\ntwo', 'utf16le');

let history: StoreFolder;
let store: Store;
let id: ConversationId;
let fence: number;
let root: string;
let folder: string;
let conversation: Kept;

/** A conversation in memory that writes what it records into the file. */
class Kept implements UndoneConversation {
  transcript: Transcript;
  canWrite = true;
  readonly run = new AbortController();
  readonly signal = this.run.signal;
  #written: Promise<unknown> = Promise.resolve();

  constructor(calls: readonly ToolPart[]) {
    const messages = [
      message(1),
      message(2, { role: 'assistant', parts: calls }),
      message(3),
      message(4, { role: 'assistant', parts: [] }),
    ];
    this.transcript = {
      conversation: { id, kind: 'chat', title: 'Title', createdAt: 1 },
      messages,
      hasOlder: false,
    };
  }

  record(event: TranscriptEvent): void {
    const folded = fold(this.transcript, event);
    if (folded.ok) this.transcript = folded.transcript;
    if (event.type === 'part_set') this.write(event);
  }

  write(change: Change): void {
    this.#written = write(store, id, change, fence);
  }

  async gate(): Promise<boolean> {
    await this.#written;
    return this.canWrite;
  }

  /** Whether each call is undone, as the transcript says it. */
  get undone(): readonly boolean[] {
    const parts = this.transcript.messages.flatMap(({ parts: all }) => all);
    return parts.flatMap((part) => (part.type === 'tool' ? [part.change?.undone === true] : []));
  }
}

function editCall(path: string): ToolPart {
  const change = { path, kind: 'changed', added: 1, removed: 1, hunks: [], hunksLeftOut: 0 } as const;
  return { type: 'tool', name: 'edit_file', arguments: { path }, state: 'done', effects: true, change };
}

async function state(path: string): Promise<FileState | undefined> {
  const file = join(root, path);
  try {
    return { bytes: await readFile(file), mode: (await stat(file)).mode & 0o7777 };
  } catch {
    return undefined;
  }
}

async function put(path: string, content: string | Uint8Array, mode = 0o644): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  await chmod(file, mode);
}

/** What calls of one turn do, each to one file; kept as a call keeps it. */
async function turn(
  changes: readonly { readonly path: string; readonly to: Uint8Array | string | undefined }[],
): Promise<void> {
  conversation = new Kept(changes.map(({ path }) => editCall(path)));
  for (const one of conversation.transcript.messages) conversation.write({ type: 'message_added', message: one });
  for (const [idx, { path, to }] of changes.entries()) {
    const before = await state(path);
    if (to === undefined) await rm(join(root, path));
    else await put(path, to, before?.mode);
    const version = { path: join(root, path), before, after: await state(path) };
    conversation.write({ type: 'file_version_set', seq: 2, idx, version, state: 'applied' });
  }
}

const nobody = (): Promise<never> => Promise.reject(new Error('nobody is to be asked'));

function change(
  how: UndoAsked['how'],
  special: Partial<UndoAsked> = {},
  ask: (conflict: Conflict) => Promise<'overwrite' | 'skip' | 'cancel'> = nobody,
): Promise<UndoReport> {
  const files = undoFiles(root, noEditors);
  return undoInConversation(conversation, { seq: 2, how, ...special }, { reader: store.reader, files, ask });
}

/** Every file of the folder with its bytes, mode and times. */
async function everything(except: readonly string[] = []): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || except.includes(path.slice(root.length + 1))) continue;
    const { mode, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    found.set(path, { bytes: await readFile(path, 'base64'), mode, mtimeNs, ctimeNs, ino });
  }
  return found;
}

beforeEach(async () => {
  history = await StoreFolder.make();
  store = await history.open();
  id = await createConversation(store);
  fence = await startRun(store, id);
  folder = await realpath(await mkdtemp(join(tmpdir(), 'undo-')));
  root = join(folder, 'work');
  await mkdir(root);
});

afterEach(async () => {
  await history.remove();
  await rm(folder, { recursive: true, force: true });
});

describe('undo of a turn', () => {
  it('touches only the files that the agent changed: not untracked, ignored or other ones, nor their times', async () => {
    await put('.gitignore', 'ignored/\n');
    await put('ignored/data.bin', UTF16);
    await put('untracked.txt', 'mine');
    await put('src/queue.js', 'let a = 1;\n');
    await turn([{ path: 'src/queue.js', to: 'let a = 2;\n' }]);
    await put('after.txt', 'made by me after the agent');
    const others = await everything(['src/queue.js']);
    expect(await change('undo')).toEqual({ done: 'all', sentence: 'Undone in 1 file.' });
    expect(await everything(['src/queue.js'])).toEqual(others);
    expect((await readFile(join(root, 'src', 'queue.js'))).toString()).toBe('let a = 1;\n');
  });

  it('brings bytes and modes back exactly, and an undo of the undo brings files and transcript back again', async () => {
    await put('wide.txt', UTF16);
    await put('run.sh', '#!/bin/sh\r\nexit 0', 0o755);
    await put('old.txt', 'to be deleted', 0o600);
    const paths = ['wide.txt', 'run.sh', 'old.txt', 'new.txt'];
    const before = await Promise.all(paths.map(state));
    await turn([
      { path: 'wide.txt', to: Buffer.from('\ufeffone\r\nthree', 'utf16le') },
      { path: 'run.sh', to: '#!/bin/sh\r\nexit 1' },
      { path: 'old.txt', to: undefined },
      { path: 'new.txt', to: 'new' },
      { path: 'run.sh', to: '#!/bin/sh\r\nexit 2' },
    ]);
    const after = await Promise.all(paths.map(state));
    const { ino } = await stat(join(root, 'run.sh'));
    expect((await change('undo')).sentence).toBe('Undone in 4 files.');
    expect(await Promise.all(paths.map(state))).toEqual(before);
    expect((await stat(join(root, 'run.sh'))).ino).toBe(ino);
    expect(conversation.undone).toEqual([true, true, true, true, true]);
    expect((await change('redo')).sentence).toBe('Made again in 4 files.');
    expect(await Promise.all(paths.map(state))).toEqual(after);
    expect(conversation.undone).toEqual([false, false, false, false, false]);
    expect((await change('undo')).done).toBe('all');
    expect(await Promise.all(paths.map(state))).toEqual(before);
  });

  it('asks about what the person edited after the agent, and leaves it when they say so', async () => {
    await put('a.txt', 'one');
    await put('b.txt', 'one');
    await turn(['a.txt', 'b.txt'].map((path) => ({ path, to: 'two' })));
    await put('a.txt', 'mine');
    const asked: string[] = [];
    const report = await change('undo', {}, ({ path }) => {
      asked.push(path);
      return Promise.resolve('skip');
    });
    expect(asked).toEqual([join(root, 'a.txt')]);
    expect(report).toEqual({
      done: 'some',
      sentence: 'Undone in 1 file. a.txt was changed since: it was left as it is.',
    });
    expect([await readFile(join(root, 'a.txt'), 'utf8'), await readFile(join(root, 'b.txt'), 'utf8')]).toEqual([
      'mine',
      'one',
    ]);
    expect(conversation.undone).toEqual([false, true]);
    const skipped = await change('undo', {}, () => Promise.resolve('skip'));
    expect(skipped).toEqual({ done: 'none', sentence: 'a.txt was changed since: it was left as it is.' });
    expect(await change('undo', {}, () => Promise.resolve('cancel'))).toMatchObject({ done: 'none' });
    await change('undo', {}, () => Promise.resolve('overwrite'));
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one');
  });

  it('touches nothing once the window has lost the conversation, whatever was answered before', async () => {
    await put('a.txt', 'one');
    await turn([{ path: 'a.txt', to: 'two' }]);
    await put('a.txt', 'mine');
    const report = await change('undo', {}, () => {
      conversation.run.abort('takeover');
      return Promise.resolve('overwrite');
    });
    expect(report).toEqual({ done: 'none', sentence: 'Nothing was changed.' });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('mine');
  });

  it('of a change that was written down and never came to the file finds nothing to do there, and says undone', async () => {
    await put('a.txt', 'one');
    await turn([{ path: 'a.txt', to: 'two' }]);
    await put('a.txt', 'one');
    const others = await everything();
    expect((await change('undo')).done).toBe('all');
    expect(await everything()).toEqual(others);
    expect(conversation.undone).toEqual([true]);
    // A window that dies between file and history leaves the same: the file is as it is to be.
    expect((await change('undo')).sentence).toBe('There is no change of a file left to undo here.');
  });

  it('of one call takes back what that call changed', async () => {
    await put('a.txt', 'one');
    await put('b.txt', 'one');
    await turn(['a.txt', 'b.txt'].map((path) => ({ path, to: 'two' })));
    await change('undo', { idx: 1 });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('two');
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('one');
    expect(conversation.undone).toEqual([false, true]);
  });

  it('of another turn touches nothing of this one', async () => {
    await put('a.txt', 'one');
    await turn([{ path: 'a.txt', to: 'two' }]);
    expect(await change('undo', { seq: 4 })).toMatchObject({ done: 'none' });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('two');
  });

  it('leaves alone what lies elsewhere since the folder was moved, and what a link stands for now', async () => {
    await put('a.txt', 'one');
    await turn([{ path: 'a.txt', to: 'two' }]);
    const old = root;
    root = join(folder, 'moved');
    await mkdir(root);
    const report = await change('undo');
    expect(report).toMatchObject({ done: 'none' });
    expect(report.sentence).toContain('is not in this folder.');
    expect(await readFile(join(old, 'a.txt'), 'utf8')).toBe('two');
    expect(conversation.undone).toEqual([false]);
  });

  it('is not tried while the history cannot be written, since what files held may not be there yet', async () => {
    await put('a.txt', 'one');
    await turn([{ path: 'a.txt', to: 'two' }]);
    conversation.canWrite = false;
    expect(await change('undo')).toMatchObject({ done: 'none' });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('two');
  });

  it('says so where the history has lost what a file held, and touches nothing of it', async () => {
    await put('a.txt', 'one');
    await turn([{ path: 'a.txt', to: 'two' }]);
    await conversation.gate();
    await history.sql(`UPDATE blob SET data = x'00'`);
    const report = await change('undo');
    expect(report.sentence).toContain('a.txt cannot be put back');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('two');
  });
});
