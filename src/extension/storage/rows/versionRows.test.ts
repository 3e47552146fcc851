import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConversation, startRun, StoreFolder, write } from '../../../../test/support/storage/storeFolder';
import type { ConversationId } from '../../../protocol/ids';
import type { FileState, FileVersion } from '../../base/fileVersion';
import type { Store } from '../store';
import type { StoredFileState } from './versionRows';

let folder: StoreFolder;
let store: Store;
let id: ConversationId;

beforeEach(async () => {
  folder = await StoreFolder.make();
  store = await folder.open();
  id = await createConversation(store);
});

afterEach(() => folder.remove());

function file(text: string, mode = 0o644): FileState {
  return { bytes: new TextEncoder().encode(text), mode };
}

function set(
  seq: number,
  idx: number,
  version: FileVersion,
  state: 'proposed' | 'applied' = 'applied',
  fence?: number,
) {
  return write(store, id, { type: 'file_version_set', seq, idx, version, state }, fence);
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const named = (state: FileState | undefined) => state && { hash: hashOf(state.bytes), mode: state.mode };

describe('what a file held before and after a call', () => {
  it('is given back byte for byte, with its permission bits, whatever it holds', async () => {
    const state = fc.option(
      fc.record({ bytes: fc.uint8Array({ maxLength: 300 }), mode: fc.integer({ min: 0, max: 0o7777 }) }),
      { nil: undefined },
    );
    const versions = fc.sample(fc.record({ before: state, after: state }), 100);
    await Promise.all(versions.map((version, index) => set(1, index, { path: `/w/${index}`, ...version })));
    const bytesOf = async (read: StoredFileState | undefined) =>
      read && { bytes: Uint8Array.from((await store.reader.readVersionBytes(read.hash)) ?? []), mode: read.mode };
    const read = (await store.reader.readFileVersions(id, 1, 1)).map(async ({ before, after }) => ({
      before: await bytesOf(before),
      after: await bytesOf(after),
    }));
    expect(await Promise.all(read)).toEqual(versions);
  });

  it('tells an empty file from one that is not there, and from a view of a larger memory', async () => {
    const view = new Uint8Array(Uint8Array.of(1, 2, 3, 4).buffer, 1, 2);
    await set(1, 0, { path: '/w/a', before: undefined, after: { bytes: new Uint8Array(0), mode: 0o600 } });
    await set(1, 1, { path: '/w/a', before: { bytes: view, mode: 0 }, after: undefined });
    const [made, removed] = await store.reader.readFileVersions(id, 1, 1);
    expect(made).toEqual({
      seq: 1,
      idx: 0,
      path: '/w/a',
      state: 'applied',
      after: { hash: hashOf(new Uint8Array(0)), mode: 0o600 },
    });
    expect(await store.reader.readVersionBytes(made?.after?.hash ?? '')).toEqual(Buffer.alloc(0));
    expect(removed).not.toHaveProperty('after');
    expect(await store.reader.readVersionBytes(removed?.before?.hash ?? '')).toEqual(Buffer.from([2, 3]));
  });

  it('comes in the order of the calls, of the messages that were asked for', async () => {
    const version = { path: '/w/a', before: file('1'), after: file('2') };
    for (const [seq, idx] of [
      [4, 0],
      [2, 10],
      [3, 1],
      [2, 9],
      [1, 0],
    ] as const)
      await set(seq, idx, version);
    const places = (await store.reader.readFileVersions(id, 2, 3)).map(({ seq, idx }) => [seq, idx]);
    expect(places).toEqual([
      [2, 9],
      [2, 10],
      [3, 1],
    ]);
    expect(await store.reader.readFileVersions(await createConversation(store), 1, 9)).toEqual([]);
  });

  it('is replaced when the call would do something else, applied, undone and made again', async () => {
    const first = { path: '/w/a', before: file('old'), after: file('new') };
    const second = { path: '/w/a', before: file('older', 0o755), after: file('newer', 0o755) };
    const read = () => store.reader.readFileVersions(id, 1, 1);
    await set(1, 0, first, 'proposed');
    await set(1, 0, second, 'proposed');
    const row = { seq: 1, idx: 0, path: '/w/a', before: named(second.before), after: named(second.after) };
    expect(await read()).toEqual([{ ...row, state: 'proposed' }]);
    for (const state of ['applied', 'undone', 'applied'] as const) {
      await write(store, id, { type: 'file_version_changed', seq: 1, idx: 0, path: '/w/a', state });
      expect(await read()).toEqual([{ ...row, state }]);
    }
    await write(store, id, { type: 'file_version_changed', seq: 1, idx: 0, path: '/w/b', state: 'undone' });
    expect(await read()).toEqual([{ ...row, state: 'applied' }]);
  });

  it('is not there when it is not what it was: a file is never put back from damaged bytes', async () => {
    const version = { path: '/w/a', before: file('before'), after: file('after') };
    for (const idx of [0, 1, 2]) await set(1, idx, version);
    await folder.sql(`UPDATE blob SET data = x'00' WHERE hash = '${hashOf(version.before.bytes)}'`);
    await folder.sql(`DELETE FROM blob WHERE hash = '${hashOf(version.after.bytes)}'`);
    expect(await store.reader.readVersionBytes(hashOf(version.before.bytes))).toBeUndefined();
    expect(await store.reader.readVersionBytes(hashOf(version.after.bytes))).toBeUndefined();
    await folder.sql(`UPDATE file_version SET before_hash = 'nothing' WHERE idx = 0`);
    await folder.sql(`UPDATE file_version SET after_mode = 99999 WHERE idx = 1`);
    expect((await store.reader.readFileVersions(id, 1, 1)).map(({ idx }) => idx)).toEqual([2]);
  });

  it('keeps the same bytes once', async () => {
    const same = file('the same in many files');
    for (const idx of [0, 1, 2]) await set(1, idx, { path: `/w/${idx}`, before: same, after: same });
    expect(await folder.sql('SELECT count(*) AS n FROM blob')).toEqual([{ n: 1 }]);
  });

  it('is refused from a window whose run is another one’s by now', async () => {
    const fence = await startRun(store, id);
    const version = { path: '/w/a', before: undefined, after: file('x') };
    expect(await set(1, 0, version, 'proposed', fence)).toBe('written');
    await folder.sql(`UPDATE run SET state = 'ended'`);
    expect(await set(1, 0, version, 'applied', fence)).toBe('fenced');
    expect((await store.reader.readFileVersions(id, 1, 1)).map(({ state }) => state)).toEqual(['proposed']);
  });

  it('that can never be written is set aside with all of its bytes', async () => {
    const bytes = Uint8Array.of(0, 255, 128);
    const version = { path: '/w/a', before: undefined, after: { bytes, mode: 0o644 } };
    expect(await set(1, 251, version)).toBe('rejected');
    const [row] = await folder.sql('SELECT change FROM rejected');
    expect(JSON.parse(String(row?.['change']))).toMatchObject({
      change: { version: { path: '/w/a', after: { base64: Buffer.from(bytes).toString('base64'), mode: 0o644 } } },
    });
  });
});
