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
import { systemClock } from '../../base/clock';
import { CONTEXT_FILE_BYTES } from '../../base/limits';
import type { Result } from '../../base/result';
import { gatherContext } from './gather';
import { appendMemoryEntry } from './memoryEntries';

let disk: string;
let root: string;
let file: string;

beforeEach(() => {
  disk = realpathSync(mkdtempSync(path.join(tmpdir(), 'memory-')));
  root = path.join(disk, 'project');
  mkdirSync(path.join(root, '.holdfast'), { recursive: true });
  file = path.join(root, '.holdfast/memory.md');
});

afterEach(() => rmSync(disk, { recursive: true, force: true }));

function remember(text: string): Promise<Result<void, string>> {
  return appendMemoryEntry({ scope: 'folder', base: root, folder: '.holdfast' }, text);
}

describe('What is remembered', () => {
  it('is told from the next turn on', async () => {
    rmSync(path.join(root, '.holdfast'), { recursive: true });
    expect(await remember('Tests run with vitest.')).toEqual({ ok: true, value: undefined });
    const { texts } = await gatherContext({ root }, [], systemClock, new AbortController().signal);
    expect(texts.map(({ text }) => text)).toEqual(['# Memory\n\n- Tests run with vitest.']);
  });

  it.each([
    ['', '- b\n'],
    ['# Memory\n', '# Memory\n\n- b\n'],
    ['- a\n', '- a\n- b\n'],
    ['- a', '- a\n- b\n'],
    ['- a\r\n', '- a\r\n- b\r\n'],
    ['# M\r\n\r\ntext', '# M\r\n\r\ntext\r\n\r\n- b\r\n'],
    ['\uFEFF# M\n\n', '\uFEFF# M\n\n- b\n'],
    ['- a\n  more\n', '- a\n  more\n- b\n'],
  ])('is an item at the end of %j', async (before, after) => {
    writeFileSync(file, before);
    await remember('b');
    expect(readFileSync(file, 'utf8')).toBe(after);
  });

  it('is all there when several windows remember at once', async () => {
    writeFileSync(file, '');
    const entries = Array.from({ length: 20 }, (_, index) => `entry ${index}`);
    await Promise.all(entries.map((entry) => remember(entry)));
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.toSorted()).toEqual(entries.map((entry) => `- ${entry}`).toSorted());
  });

  it('does not fit into a file that is full, or is no text: it stays as it is', async () => {
    for (const content of ['x'.repeat(CONTEXT_FILE_BYTES - 3), 'a\0b']) {
      writeFileSync(file, content);
      expect(await remember('more')).toMatchObject({
        ok: false,
        failure: expect.stringContaining('Nothing was remembered') as string,
      });
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
  });

  it.each([['there'], ['not-there']])(
    'goes through no link that leaves the folder: one to what is %s',
    async (name) => {
      writeFileSync(path.join(disk, 'there'), 'as it was');
      symlinkSync(path.join(disk, name), file);
      expect((await remember('x')).ok).toBe(false);
      expect(readFileSync(path.join(disk, 'there'), 'utf8')).toBe('as it was');
      expect(existsSync(path.join(disk, 'not-there'))).toBe(false);
    },
  );

  it("of the person's own follows the person's links", async () => {
    mkdirSync(path.join(disk, 'dotfiles'));
    writeFileSync(path.join(disk, 'dotfiles/memory.md'), '- a\n');
    symlinkSync('dotfiles', path.join(disk, 'own'));
    expect((await appendMemoryEntry({ scope: 'global', base: path.join(disk, 'own'), folder: '' }, 'b')).ok).toBe(true);
    expect(readFileSync(path.join(disk, 'dotfiles/memory.md'), 'utf8')).toBe('- a\n- b\n');
  });
});
