import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileState } from '../../base/fileVersion';
import { MountedDisk } from '../../../../test/support/disk/mounted';
import { applyState } from './applyState';
import type { UnsavedEditors } from './unsavedEditors';
import { versionPlace } from './versionPlace';

const nothingOpen: UnsavedEditors = { text: () => undefined, replace: () => Promise.resolve(false) };
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'state-')));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function at(name: string): string {
  return path.join(root, name);
}

function state(text: string | Uint8Array, mode = 0o644): FileState {
  return { bytes: Buffer.from(text), mode };
}

function apply(
  name: string,
  expected: FileState | undefined,
  wanted: FileState | undefined,
  editors = nothingOpen,
): ReturnType<typeof applyState> {
  return applyState(editors, versionPlace(root, at(name)), expected, wanted);
}

function modeOf(name: string): number {
  return statSync(at(name)).mode & 0o7777;
}

describe('bringing a file to a state', () => {
  it('undoes and redoes any change of any bytes, and keeps the file the same one', async () => {
    writeFileSync(at('a'), '');
    linkSync(at('a'), at('other-name'));
    const inode = statSync(at('a')).ino;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), async (one, other) => {
        writeFileSync(at('a'), one);
        expect(await apply('a', state(one), state(other))).toEqual({ ok: true, value: 'disk' });
        expect(readFileSync(at('other-name')).equals(Buffer.from(other))).toBe(true);
        expect(await apply('a', state(other), state(one))).toEqual({ ok: true, value: 'disk' });
        expect(readFileSync(at('other-name')).equals(Buffer.from(one))).toBe(true);
      }),
      { numRuns: 100 },
    );
    expect(statSync(at('a')).ino).toBe(inode);
  });

  it('undoes a file that was made, and makes it again with its mode and its folders', async () => {
    const made = state('#!/bin/sh\n', 0o750);
    expect((await apply('new/deep/x.sh', undefined, made)).ok).toBe(true);
    expect(modeOf('new/deep/x.sh')).toBe(0o750);
    expect((await apply('new/deep/x.sh', made, undefined)).ok).toBe(true);
    expect(existsSync(at('new/deep/x.sh'))).toBe(false);
    rmSync(at('new'), { recursive: true });
    expect((await apply('new/deep/x.sh', undefined, made)).ok).toBe(true);
    expect(readFileSync(at('new/deep/x.sh'), 'utf8')).toBe('#!/bin/sh\n');
    expect(modeOf('new/deep/x.sh')).toBe(0o750);
  });

  it('undoes a mode that the change set, and leaves one alone that it did not', async () => {
    writeFileSync(at('a'), 'b');
    chmodSync(at('a'), 0o755);
    expect((await apply('a', state('b', 0o755), state('a', 0o600))).ok).toBe(true);
    expect(modeOf('a')).toBe(0o600);
    chmodSync(at('a'), 0o640);
    expect((await apply('a', state('a', 0o600), state('b', 0o600))).ok).toBe(true);
    expect(modeOf('a')).toBe(0o640);
  });

  it('touches nothing that is not as it was expected, and says so', async () => {
    writeFileSync(at('a'), 'of the person');
    for (const wanted of [state('x'), undefined]) {
      expect(await apply('a', state('of the model'), wanted)).toMatchObject({
        ok: false,
        failure: { kind: 'changed' },
      });
    }
    expect(await apply('a', undefined, state('x'))).toMatchObject({ ok: false, failure: { kind: 'changed' } });
    expect(readFileSync(at('a'), 'utf8')).toBe('of the person');
    const gone = await apply('gone', state('a'), state('b'));
    expect(gone).toMatchObject({
      failure: { kind: 'changed', sentence: expect.stringContaining('not there') as string },
    });
    expect(existsSync(at('gone'))).toBe(false);
  });

  it('writes what the system refuses in words', async () => {
    writeFileSync(at('a'), '');
    const refused = await apply('a/b', undefined, state('x'));
    expect(refused).toMatchObject({
      ok: false,
      failure: { kind: 'failed', sentence: expect.stringMatching(/is a file/) as string },
    });
  });

  it('changes the text in the editor when that is not saved, and not the disk', async () => {
    writeFileSync(at('a'), 'on the disk');
    let text = 'one\r\n';
    const editors: UnsavedEditors = {
      text: () => text,
      replace: (_, before, after) => {
        if (before !== text) return Promise.resolve(false);
        text = after;
        return Promise.resolve(true);
      },
    };
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const before = state(Buffer.concat([mark, Buffer.from('one\r\n')]));
    const after = state(Buffer.concat([mark, Buffer.from('two\r\n')]));
    expect(await apply('a', before, after, editors)).toEqual({ ok: true, value: 'editor' });
    expect(text).toBe('two\r\n');
    expect(await apply('a', before, after, editors)).toMatchObject({ failure: { kind: 'changed' } });
    expect(await apply('a', after, undefined, editors)).toMatchObject({ failure: { kind: 'changed' } });
    expect(readFileSync(at('a'), 'utf8')).toBe('on the disk');
  });
});

describe('guard of what is written', () => {
  let beyond: string;

  beforeEach(() => {
    beyond = realpathSync(mkdtempSync(path.join(tmpdir(), 'beyond-')));
    writeFileSync(path.join(beyond, 'canary'), 'alive');
  });

  afterEach(() => {
    expect(readdirSync(beyond)).toEqual(['canary']);
    expect(readFileSync(path.join(beyond, 'canary'), 'utf8')).toBe('alive');
    rmSync(beyond, { recursive: true });
  });

  it('guard: a file that became a link meanwhile is not followed', async () => {
    symlinkSync(path.join(beyond, 'canary'), at('canary'));
    symlinkSync(path.join(beyond, 'missing'), at('missing'));
    expect((await apply('canary', state('alive'), state('dead'))).ok).toBe(false);
    expect((await apply('canary', state('alive'), undefined)).ok).toBe(false);
    expect((await apply('canary', undefined, state('dead'))).ok).toBe(false);
    expect((await apply('missing', undefined, state('made'))).ok).toBe(false);
  });

  it('guard: a folder that became a link meanwhile leads nowhere', async () => {
    symlinkSync(beyond, at('folder'));
    expect((await apply('folder/canary', state('alive'), state('dead'))).ok).toBe(false);
    expect((await apply('folder/canary', state('alive'), undefined)).ok).toBe(false);
    expect((await apply('folder/new', undefined, state('made'))).ok).toBe(false);
    expect((await apply('folder/deep/new', undefined, state('made'))).ok).toBe(false);
  });

  function swapFolder(toLink: boolean): void {
    try {
      rmSync(at('folder'), { recursive: true, force: true });
      if (toLink) return symlinkSync(beyond, at('folder'));
      mkdirSync(at('folder'));
      writeFileSync(at('folder/canary'), 'alive');
    } catch {
      // What is tried at the same moment made something there.
    }
  }

  it('guard: folders that are swapped for links while it writes let nothing out', async () => {
    let ends = false;
    const swapping = (async () => {
      for (let toLink = true; !ends; toLink = !toLink) {
        swapFolder(toLink);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 40; round += 1) {
      await apply('folder/canary', state('alive'), state('dead'));
      await apply(`folder/new${round}`, undefined, state('made'));
      await apply('folder/canary', state('alive'), undefined);
    }
    ends = true;
    await swapping;
  });

  it('guard: devices, pipes and folders are neither opened nor waited for', async () => {
    execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: root });
    mkdirSync(at('folder'));
    for (const name of ['pipe', 'folder']) {
      expect((await apply(name, state(''), state('x'))).ok).toBe(false);
      expect((await apply(name, state(''), undefined)).ok).toBe(false);
      expect((await apply(name, undefined, state('x'))).ok).toBe(false);
    }
    const device = versionPlace('/', '/dev/null');
    expect((await applyState(nothingOpen, device, state(''), state('x'))).ok).toBe(false);
  });
});

describe('a full disk', () => {
  it('leaves a file as it was, and no part of a new one', async (context) => {
    const disk = await MountedDisk.mount(65_536);
    if (disk === undefined) return context.skip();
    try {
      const folder = realpathSync(disk.folder);
      const old = state('x'.repeat(20_000));
      writeFileSync(path.join(folder, 'a'), old.bytes);
      for (const [name, expected] of [['a', old] as const, ['new', undefined] as const]) {
        const place = versionPlace(folder, path.join(folder, name));
        const outcome = await applyState(nothingOpen, place, expected, state('y'.repeat(200_000)));
        expect(outcome).toMatchObject({
          ok: false,
          failure: { kind: 'failed', sentence: expect.stringContaining('the disk is full') as string },
        });
      }
      expect(readFileSync(path.join(folder, 'a')).equals(Buffer.from(old.bytes))).toBe(true);
      expect(readdirSync(folder)).toEqual(['a']);
    } finally {
      await disk.dispose();
    }
  });
});
