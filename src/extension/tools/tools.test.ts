import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SEARCH_FILE_BYTES } from '../base/limits';
import { silentLog } from '../base/log';
import { listFilesTool } from './listFiles';
import { readFileTool } from './readFile';
import { ToolRegistry } from './registry';
import { ripgrepPath } from './ripgrep';
import { searchTextTool } from './searchText';
import type { ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';
import { runTool } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';

const never = new AbortController().signal;
const registry = new ToolRegistry([readFileTool, listFilesTool, searchTextTool], silentLog);
let root: string;
let host: ToolHost;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'tools-'));
  host = testHost(root, { ripgrepPath: ripgrepPath(process.cwd()) });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

function run(name: string, args: Record<string, unknown>, signal = never): Promise<ToolOutcome> {
  return runTool({ plan: (given) => registry.plan(name, given, host, signal) }, args, host, signal);
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
}

describe('read_file', () => {
  function read(file: string, rest: Record<string, unknown> = {}): Promise<ToolOutcome> {
    return run('read_file', { path: file, ...rest });
  }

  it('reads a whole file', async () => {
    put('a.ts', numbered(204));
    expect(await read('a.ts')).toEqual({ ok: true, content: numbered(204).trimEnd(), summary: '204 lines' });
  });

  it.each([
    ['no end of line', 'one', 'one', '1 line'],
    ['nothing', '', '(The file is empty.)', '0 lines'],
    ['only an end of line', '\n', '', '1 line'],
    ['Windows line ends', 'a\r\nb\r\n', 'a\nb', '2 lines'],
    ['a byte order mark', '\uFEFFa', 'a', '1 line'],
    ['an emoji', '👋🏽 語', '👋🏽 語', '1 line'],
  ])('reads a file with %s', async (_, written, content, summary) => {
    put('a.txt', written);
    expect(await read('a.txt')).toEqual({ ok: true, content, summary });
  });

  it('reads UTF-16, and text with broken characters', async () => {
    put('le.txt', Buffer.from('\uFEFFzażółć 👋', 'utf16le'));
    put('be.txt', Buffer.from('\uFEFFzażółć', 'utf16le').swap16());
    put('latin.txt', Buffer.from('caf\xe9', 'latin1'));
    expect(await read('le.txt')).toMatchObject({ content: 'zażółć 👋' });
    expect(await read('be.txt')).toMatchObject({ content: 'zażółć' });
    expect(await read('latin.txt')).toMatchObject({ content: 'caf\uFFFD' });
  });

  it('reads some lines', async () => {
    put('a.ts', numbered(204));
    expect(await read('a.ts', { start_line: 88, end_line: 90 })).toEqual({
      ok: true,
      content: '[lines 88-90 of 204]\nline 88\nline 89\nline 90',
      summary: '88–90',
    });
    expect(await read('a.ts', { start_line: '204' })).toMatchObject({ summary: 'line 204' });
    expect(await read('a.ts', { end_line: 2 })).toMatchObject({ content: '[lines 1-2 of 204]\nline 1\nline 2' });
    expect(await read('a.ts', { start_line: 203, end_line: 900 })).toMatchObject({ summary: '203–204' });
  });

  it('says why some lines cannot be read', async () => {
    put('a.ts', numbered(5));
    expect(await read('a.ts', { start_line: 6 })).toMatchObject({
      ok: false,
      content: expect.stringContaining('5 lines') as string,
    });
    expect(await read('a.ts', { start_line: 3, end_line: 2 })).toMatchObject({ ok: false, summary: 'bad range' });
    expect(await read('a.ts', { start_line: 0 })).toMatchObject({
      ok: false,
      content: expect.stringContaining('"start_line"') as string,
    });
  });

  it('leaves out the middle of a long file and says how to read it', async () => {
    put('long.txt', numbered(5000));
    const outcome = await read('long.txt');
    expect(outcome.summary).toBe('5000 lines, cut');
    expect(outcome.content).toContain(
      'line 1000\n[… 3000 lines omitted: read them with start_line 1001 and end_line 4000 …]\nline 4001\n',
    );
    expect(outcome.content.endsWith('line 5000')).toBe(true);
    const rest = await read('long.txt', { start_line: 1001, end_line: 4000 });
    expect(rest.summary).toBe('1001–3000');
    expect(rest.content).toContain('[… cut here: read on with start_line 3001 …]');
  });

  it('keeps to its limit of bytes, and every cut whole characters', async () => {
    put('wide.txt', `${'🏷'.repeat(400)}\n`.repeat(200));
    put('one.txt', `x${'🏷'.repeat(3_000_000 / 4)}`);
    for (const file of ['wide.txt', 'one.txt']) {
      const outcome = await read(file);
      expect(outcome.ok).toBe(true);
      expect(Buffer.byteLength(outcome.content)).toBeLessThan(52_000);
      expect(outcome.content).not.toMatch(/\p{Cs}/u);
      expect(outcome.content).not.toContain('\uFFFD');
      expect(outcome.content).toContain('omitted');
    }
  });

  it('reads a very large file by lines only', async () => {
    const line = `${'x'.repeat(99)}\n`;
    put('big.log', `${line.repeat(120_000)}last 語`);
    expect(await read('big.log')).toMatchObject({ ok: false, summary: 'too large' });
    expect(await read('big.log', { start_line: 119_999, end_line: 130_000 })).toEqual({
      ok: true,
      content: `[lines 119999-120001]\n${line.repeat(2)}last 語`,
      summary: '119999–120001',
    });
    expect(await read('big.log', { start_line: 5 })).toMatchObject({
      content: expect.stringMatching(/cut here: read on with start_line \d+/) as string,
    });
    expect(await read('big.log', { start_line: 120_002 })).toMatchObject({
      ok: false,
      content: expect.stringContaining('120001 lines') as string,
    });
  });

  it('refuses what is no text file, without waiting', async () => {
    put('bin', Buffer.from([1, 2, 0, 3]));
    put('dir/x', '');
    execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: root });
    symlinkSync('/dev/zero', path.join(root, 'zero'));
    expect(await read('bin')).toMatchObject({ ok: false, summary: 'binary' });
    expect(await read('dir')).toMatchObject({ ok: false, content: expect.stringContaining('list_files') as string });
    expect(await read('pipe')).toMatchObject({ ok: false, summary: 'no file' });
    expect(await read('zero')).toMatchObject({ ok: false, summary: 'no file' });
    expect(await read('gone.ts')).toMatchObject({ ok: false, summary: 'not found' });
  });
});

describe('list_files', () => {
  it('lists one folder in order, with what each entry is', async () => {
    put('b.ts', '');
    put('src/x.ts', '');
    put('.git/config', '');
    put('.github/ci.yml', '');
    put('two\nlines', '');
    symlinkSync('b.ts', path.join(root, 'link'));
    expect(await run('list_files', {})).toEqual({
      ok: true,
      content: '"two\\nlines"\n.github/\nb.ts\nlink (link)\nsrc/',
      summary: '5 entries',
    });
    expect(await run('list_files', { path: 'src' })).toEqual({ ok: true, content: 'x.ts', summary: '1 entry' });
  });

  it('says that a folder is empty, a file, or missing', async () => {
    mkdirSync(path.join(root, 'empty'));
    put('a', '');
    expect(await run('list_files', { path: 'empty' })).toMatchObject({ ok: true, content: '(The folder is empty.)' });
    expect(await run('list_files', { path: 'a' })).toMatchObject({
      ok: false,
      content: expect.stringContaining('read_file') as string,
    });
    expect(await run('list_files', { path: 'b' })).toMatchObject({ ok: false, summary: 'not found' });
  });

  it('cuts a long list and says so', async () => {
    for (let index = 0; index < 510; index += 1) put(`f${String(index).padStart(3, '0')}`, '');
    const outcome = await run('list_files', {});
    expect(outcome.summary).toBe('510 entries, cut');
    expect(outcome.content).toMatch(/f499\n\[… 10 more entries omitted …\]$/);
  });
});

describe('search_text', () => {
  function search(query: string, rest: Record<string, unknown> = {}, signal = never): Promise<ToolOutcome> {
    return run('search_text', { query, ...rest }, signal);
  }

  it('finds lines, in the order of files and lines', async () => {
    put('b.ts', 'one\nfoo(1)\nfoo(2)\n');
    put('a/c.ts', 'say foo(3)');
    put('z.md', 'foo(');
    put('.git/x', 'foo(');
    expect(await search('foo(')).toEqual({
      ok: true,
      content: 'a/c.ts:1: say foo(3)\nb.ts:2: foo(1)\nb.ts:3: foo(2)\nz.md:1: foo(',
      summary: '4 matches',
    });
    expect((await search('foo(', { glob: '*.ts', path: 'a' })).content).toBe('a/c.ts:1: say foo(3)');
    expect((await search('foo(', { path: 'b.ts' })).summary).toBe('2 matches');
    expect((await search('fo+\\(2', { regex: 'true' })).content).toBe('b.ts:3: foo(2)');
    expect((await search('FOO(')).summary).toBe('no matches');
  });

  it('takes any query as it is', async () => {
    put('a.txt', '-e --help $HOME `x` "q" \\ 語👋');
    for (const query of ['-e --help', '$HOME', '`x` "q" \\', '語👋'])
      expect((await search(query)).summary).toBe('1 match');
    expect((await search('a\nb')).ok).toBe(false);
    expect(await search('a\0')).toMatchObject({ ok: false, summary: 'bad query' });
    expect(await search('')).toMatchObject({ ok: false, summary: 'bad arguments' });
  });

  it('says what is wrong with an expression or glob', async () => {
    put('a.txt', 'x');
    expect(await search('(', { regex: true })).toMatchObject({
      ok: false,
      content: expect.stringContaining('unclosed group') as string,
    });
    expect(await search('x', { glob: '[' })).toMatchObject({
      ok: false,
      content: expect.stringContaining('glob') as string,
    });
  });

  it('cuts long lines around the match, and names those that are too long', async () => {
    put('a.js', `${'🏷語'.repeat(2500)}needle${'🏷'.repeat(5000)}`);
    put('b.js', `${'y'.repeat(2_000_000)}needle`);
    const outcome = await search('needle');
    const [first, second] = outcome.content.split('\n');
    expect(first).toContain('needle');
    expect(first!.length).toBeLessThan(400);
    expect(first).not.toMatch(/[\p{Cs}\uFFFD]/u);
    expect(second).toBe('b.js: (a match in a line that is too long to show)');
    expect(outcome.summary).toBe('2 matches');
  });

  it('stops at its limit and says so', async () => {
    put('a.txt', 'hit\n'.repeat(100));
    expect((await search('hit')).summary).toBe('100 matches');
    put('b.txt', 'hit\n'.repeat(200_000));
    const outcome = await search('hit');
    expect(outcome.summary).toBe('100+ matches');
    expect(outcome.content).toContain('more than 100 matches: narrow');
  });

  it('reads text that is no UTF-8', async () => {
    put('a.txt', Buffer.from('caf\xe9 hit', 'latin1'));
    expect((await search('hit')).content).toBe('a.txt:1: caf\uFFFD hit');
  });

  it('leaves ignored files out', async () => {
    put('.ignore', 'secret\n');
    put('secret', 'hit');
    put('.hidden', 'hit');
    const left = '\n[Left out: 1 file or folder by .gitignore]';
    expect((await search('hit')).content).toBe(`.hidden:1: hit${left}`);
    // A glob that names an ignored file does not bring it back.
    expect((await search('hit', { glob: 'sec*' })).content).toBe(`No matches.${left}`);
  });

  it('leaves out what is binary or cannot be searched, and says so', async () => {
    put('a.bin', 'hit\0');
    put('b.txt', 'hit');
    put('.gitignore', 'out/\n*.log\n');
    put('out/x', 'hit');
    put('x.log', 'hit');
    expect((await search('hit')).content).toBe(
      'b.txt:1: hit\n[Left out: 2 files and folders by .gitignore, 1 binary file]',
    );
    put('huge.txt', '');
    truncateSync(path.join(root, 'huge.txt'), SEARCH_FILE_BYTES + 1);
    expect((await search('nothing')).content).toContain('1 binary file, 1 file over 100 MB]');
  });

  it('takes globs of paths and of several endings', async () => {
    for (const file of ['a.ts', 'b.js', 'src/c.ts', 'src/deep/d.tsx']) put(file, 'hit');
    const found = async (glob: string): Promise<string> =>
      (await search('hit', { glob })).content.replaceAll(':1: hit', '');
    expect(await found('src/**/*.{ts,tsx}')).toBe('src/c.ts\nsrc/deep/d.tsx');
    expect(await found('src/*.ts')).toBe('src/c.ts');
    expect(await found('./src/')).toBe('src/c.ts\nsrc/deep/d.tsx');
    expect(await found('*.js')).toBe('b.js');
    expect(await found('!*.ts')).toBe('b.js\nsrc/deep/d.tsx');
    expect((await search('hit', { glob: '*a'.repeat(9) })).summary).toBe('bad pattern');
  });

  it('ends its program on Stop', async () => {
    put('slow.sh', '#!/bin/sh\necho $$ > "$(dirname "$0")/pid"\nexec sleep 60\n');
    execFileSync('chmod', ['+x', path.join(root, 'slow.sh')]);
    const controller = new AbortController();
    const stuck = testHost(root, { ripgrepPath: path.join(root, 'slow.sh') });
    const outcome = runTool(searchTextTool, { query: 'x' }, stuck, controller.signal);
    const pidFile = path.join(root, 'pid');
    const pid = await vi.waitUntil(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')), {
      timeout: 10_000,
    });
    const stoppedAt = performance.now();
    controller.abort();
    expect(await outcome).toMatchObject({ ok: false, summary: 'stopped' });
    expect(performance.now() - stoppedAt).toBeLessThan(5000);
    expect(() => process.kill(pid, 0)).toThrow();
  });

  it('says so when its program is missing', async () => {
    const outcome = await runTool(
      searchTextTool,
      { query: 'x' },
      testHost(root, { ripgrepPath: path.join(root, 'gone') }),
    );
    expect(outcome).toMatchObject({ ok: false, summary: 'no search program' });
  });
});
