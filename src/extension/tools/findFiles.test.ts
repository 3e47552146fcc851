import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findFilesTool } from './findFiles';
import { ripgrepPath } from './ripgrep';
import type { ToolOutcome } from './tool';
import { runTool } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'find-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(...names: string[]): void {
  for (const name of names) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), '');
  }
}

function find(pattern: string, folder?: string): Promise<ToolOutcome> {
  const args = folder === undefined ? { pattern } : { pattern, path: folder };
  return runTool(findFilesTool, args, testHost(root, { ripgrepPath: ripgrepPath(process.cwd()) }));
}

describe('find_files', () => {
  it('finds files by pattern, in order', async () => {
    put('b.ts', 'a/x.ts', 'a/x.test.ts', 'a/B.TS', 'c.js', '.git/y.ts', '.github/z.ts', 'two\nlines.ts');
    symlinkSync('b.ts', path.join(root, 'link.ts'));
    expect(await find('*.ts')).toEqual({
      ok: true,
      content: '.github/z.ts\na/B.TS\na/x.test.ts\na/x.ts\nb.ts\n"two\\nlines.ts"',
      summary: '6 files',
    });
    expect((await find('a/**/*.test.ts')).content).toBe('a/x.test.ts');
    expect((await find('*.ts', 'a')).summary).toBe('3 files');
    expect((await find('*.{js,py}')).content).toBe('c.js');
    expect(await find('*.go')).toMatchObject({ ok: true, content: 'No files match.', summary: '0 files' });
  });

  it('takes a plain word for a part of a name, and a plain path for the end of one', async () => {
    put('src/openFile.ts', 'src/other.ts', 'docs/open-file.md');
    expect((await find('openfile')).content).toBe('src/openFile.ts');
    expect((await find('src/openFile.ts')).content).toBe('src/openFile.ts');
    expect((await find('/src/other')).content).toBe('src/other.ts');
  });

  it('leaves out what is ignored and says how much; what is hidden it does not even count', async () => {
    put('a.ts', 'out/b.ts', 'c.ts', 'private/d.ts', '.env.ts');
    writeFileSync(path.join(root, '.gitignore'), 'out/\nc.ts\n!private/d.ts\n');
    writeFileSync(path.join(root, '.holdfastignore'), 'private\n.env*\n');
    expect((await find('*.ts')).content).toBe('a.ts\n[Left out: 2 files and folders by .gitignore]');
    expect((await find('d.ts', 'private')).summary).toBe('hidden');
    expect((await find('*', 'private/none')).summary).toBe('hidden');
  });

  it('cuts a long list and says so', async () => {
    put(...Array.from({ length: 210 }, (_, index) => `f${String(index).padStart(3, '0')}`));
    const outcome = await find('f*');
    expect(outcome.summary).toBe('210 files, cut');
    expect(outcome.content).toMatch(/f199\n\[… 10 more files: narrow/);
  });

  it('refuses a pattern that is none, a folder that is not there, and what lies outside', async () => {
    expect((await find('[')).summary).toBe('bad pattern');
    expect((await find('*a'.repeat(9))).summary).toBe('bad pattern');
    expect((await find('*', 'none')).summary).toBe('not found');
    expect((await find('*', '..')).summary).toBe('outside the folder');
    expect((await find('../*')).content).toBe('No files match.');
  });

  it('says so when its program is missing', async () => {
    const outcome = await runTool(
      findFilesTool,
      { pattern: '*' },
      testHost(root, { ripgrepPath: path.join(root, 'no') }),
    );
    expect(outcome).toMatchObject({ ok: false, summary: 'no search program' });
  });
});
