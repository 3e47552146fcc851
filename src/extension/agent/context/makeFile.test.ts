import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFile } from './makeFile';
import type { ContextPlace } from './places';

let disk: string;
let root: string;
let memory: ContextPlace;

beforeEach(() => {
  disk = realpathSync(mkdtempSync(path.join(tmpdir(), 'make-')));
  root = path.join(disk, 'project');
  mkdirSync(root);
  memory = { scope: 'folder', base: root, folder: '.holdfast' };
});

afterEach(() => rmSync(disk, { recursive: true, force: true }));

describe('A file that a person wants to edit', () => {
  it('is made with its heading when it is missing, with the folders on its way', async () => {
    const file = path.join(root, '.holdfast/memory.md');
    expect(await makeFile(memory, 'memory.md', '# Memory\n')).toEqual({ ok: true, value: file });
    expect(readFileSync(file, 'utf8')).toBe('# Memory\n');
    const global: ContextPlace = { scope: 'global', base: path.join(disk, 'home/.holdfast'), folder: '' };
    expect((await makeFile(global, 'AGENTS.md', '# A\n')).ok).toBe(true);
    expect(readFileSync(path.join(disk, 'home/.holdfast/AGENTS.md'), 'utf8')).toBe('# A\n');
  });

  it('is left as it is when it is there', async () => {
    mkdirSync(path.join(root, '.holdfast'));
    writeFileSync(path.join(root, '.holdfast/memory.md'), 'words');
    expect((await makeFile(memory, 'memory.md', '# Memory\n')).ok).toBe(true);
    expect(readFileSync(path.join(root, '.holdfast/memory.md'), 'utf8')).toBe('words');
  });

  it('is not made where a link of the folder leads outside', async () => {
    mkdirSync(path.join(disk, 'outside'));
    symlinkSync(path.join(disk, 'outside'), path.join(root, '.holdfast'));
    expect(await makeFile(memory, 'memory.md', '# Memory\n')).toMatchObject({
      ok: false,
      failure: expect.stringContaining('outside the folder') as string,
    });
    expect(existsSync(path.join(disk, 'outside/memory.md'))).toBe(false);
  });

  it('is not made behind a link that leads nowhere', async () => {
    mkdirSync(path.join(root, '.holdfast'));
    symlinkSync(path.join(disk, 'new.md'), path.join(root, '.holdfast/memory.md'));
    expect((await makeFile(memory, 'memory.md', '# Memory\n')).ok).toBe(false);
    expect(existsSync(path.join(disk, 'new.md'))).toBe(false);
  });

  it('is answered with a sentence when its folder cannot be made', async () => {
    writeFileSync(path.join(root, '.holdfast'), 'a file');
    expect(await makeFile(memory, 'memory.md', '')).toMatchObject({
      ok: false,
      failure: expect.stringContaining('memory.md') as string,
    });
  });
});
