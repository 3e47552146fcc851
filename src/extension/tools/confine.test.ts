import { mkdtempSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../base/log';
import { confine } from './confine';
import { listFilesTool } from './listFiles';
import { readFileTool } from './readFile';
import { ToolRegistry } from './registry';
import { ripgrepPath } from './ripgrep';
import { searchTextTool } from './searchText';
import { refused, type ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';
import { carryOut } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';

const CANARY = 'CANARY_7f3a';
const registry = new ToolRegistry([readFileTool, listFilesTool, searchTextTool], silentLog);

let base: string;
let root: string;
let host: ToolHost;

/**
 * base/ws        the workspace folder, with sub/inside.txt and links of every kind
 * base/ws-evil   a sibling whose name begins alike
 * base/away      a folder outside
 * base/door      a link to ws
 */
beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'confine-')));
  root = path.join(base, 'ws');
  for (const folder of ['ws/sub/deep', 'ws/flip', 'ws-evil', 'away/dir'])
    mkdirSync(path.join(base, folder), { recursive: true });
  for (const file of ['ws/top.txt', 'ws/sub/inside.txt', 'ws/..odd', 'ws/flip/secret.txt']) {
    writeFileSync(path.join(base, file), 'harmless\n');
  }
  for (const file of ['ws-evil/secret.txt', 'away/secret.txt', 'away/dir/secret.txt', `away/${CANARY}.txt`]) {
    writeFileSync(path.join(base, file), `${CANARY}\n`);
  }
  const links: [string, string][] = [
    ['ws/out-file', path.join(base, 'away/secret.txt')],
    ['ws/out-dir', path.join(base, 'away')],
    ['ws/out-relative', '../away'],
    ['ws/out-twice', 'out-dir/dir'],
    ['ws/sub/out-up', '../..'],
    ['ws/dangling-out', path.join(base, 'away/new.txt')],
    ['ws/dangling-in', 'nothing.txt'],
    ['ws/loop', 'loop'],
    ['ws/in-file', 'sub/inside.txt'],
    ['ws/in-dir', 'sub'],
    ['ws/in-absolute', path.join(base, 'ws/sub')],
    ['door', 'ws'],
  ];
  for (const [link, target] of links) symlinkSync(target, path.join(base, link));
  host = testHost(root, { ripgrepPath: ripgrepPath(process.cwd()) });
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

async function shown(written: string, from = root): Promise<string> {
  const result = await confine(from, written);
  return result.ok ? result.value.shown : result.failure.summary;
}

/** Runs a call that needs no leave; what asks for it, for what lies outside, is not run. */
async function run(name: string, args: Record<string, unknown>, from = host): Promise<ToolOutcome> {
  const planned = await registry.plan(name, args, from, new AbortController().signal);
  const asks = planned.kind === 'ready' && planned.action !== undefined;
  return asks ? refused('Only what is inside can be read without leave.', 'asks') : carryOut(planned);
}

describe('guard: a path of the model', () => {
  it.each([
    ['top.txt', 'top.txt'],
    ['./sub//inside.txt', 'sub/inside.txt'],
    ['sub/../top.txt', 'top.txt'],
    ['.', '.'],
    ['', '.'],
    ['sub/', 'sub'],
    ['..odd', '..odd'],
    ['in-file', 'sub/inside.txt'],
    ['in-dir/inside.txt', 'sub/inside.txt'],
    ['in-absolute/inside.txt', 'sub/inside.txt'],
    ['../ws/top.txt', 'top.txt'],
  ])('%j is inside', async (written, expected) => {
    expect(await shown(written)).toBe(expected);
  });

  it.each([
    '..',
    '../',
    '../away/secret.txt',
    '../ws-evil/secret.txt',
    'sub/../../away/secret.txt',
    'out-file',
    'out-dir',
    'out-dir/secret.txt',
    'out-dir/not-there.txt',
    'out-dir/secret.txt/not-there.txt',
    'out-relative/secret.txt',
    'out-twice/secret.txt',
    'sub/out-up/away/secret.txt',
    'dangling-out',
    'dangling-out/x',
    'dangling-in',
    'loop',
    'loop/x',
    '/etc/passwd',
    '/',
  ])('%j is outside', async (written) => {
    expect(await shown(written)).toBe('outside the folder');
  });

  it.each([
    'file:///etc/passwd',
    'file:/etc/passwd',
    'https://example.org/x',
    'vscode-remote://x/y',
    '\\\\?\\C:\\x',
    '\\\\server\\share',
    '//server/share',
    'top.txt\0.png',
  ])('%j is no path', async (written) => {
    expect(await shown(written)).toBe('bad path');
  });

  it('may be absolute when it is inside, by either name of the folder', async () => {
    expect(await shown(path.join(root, 'top.txt'))).toBe('top.txt');
    expect(await shown(`${root}-evil/secret.txt`)).toBe('outside the folder');
    const door = path.join(base, 'door');
    expect(await shown(path.join(door, 'top.txt'), door)).toBe('top.txt');
    expect(await shown(path.join(root, 'sub/inside.txt'), door)).toBe('sub/inside.txt');
    expect(await shown('../away/secret.txt', door)).toBe('outside the folder');
  });

  it('that is missing is said to be missing', async () => {
    expect(await shown('nothing.txt')).toBe('not found');
    expect(await shown('top.txt/x')).toBe('not found');
    expect(await shown('a'.repeat(300))).toBe('bad path');
  });

  // Plain steps are the more likely ones, so that many spellings lead somewhere.
  const plainStep = fc.constantFrom(
    '.',
    '..',
    'sub',
    'in-dir',
    'in-absolute',
    'deep',
    'flip',
    'ws',
    'top.txt',
    'inside.txt',
  );
  const anyStep = fc.constantFrom(
    '',
    'secret.txt',
    'out-file',
    'out-dir',
    'out-relative',
    'out-twice',
    'out-up',
    'dangling-out',
    'loop',
    'ws-evil',
    'away',
    'dir',
    'door',
    '%2e%2e',
    '..%2f',
    '~',
    '...',
    '.. ',
    '\0',
    'file:',
    'C:',
    `${CANARY}.txt`,
  );
  const step = fc.oneof({ arbitrary: plainStep, weight: 3 }, { arbitrary: anyStep, weight: 1 });
  const plainStart = fc.constantFrom('', './', 'ROOT/', 'sub/../');
  const anyStart = fc.constantFrom('/', '//', '../', '\\\\?\\', 'file://', 'ROOT-evil/', 'BASE/', 'BASE/away/');
  const start = fc.oneof({ arbitrary: plainStart, weight: 3 }, { arbitrary: anyStart, weight: 1 });
  const spelling = fc
    .tuple(start, fc.array(step, { maxLength: 5 }), fc.constantFrom('/', '/', '/', '\\', '//'))
    .map(([first, steps, separator]) => `${first}${steps.join(separator)}`);

  it('never leads outside, however it is spelt', async () => {
    await fc.assert(
      fc.asyncProperty(spelling, async (template) => {
        const written = template.replace('ROOT', root).replace('BASE', base);
        const result = await confine(root, written);
        if (!result.ok) {
          expect(result.failure.content).not.toBe('');
          return;
        }
        const { real } = result.value;
        expect(real === root || real.startsWith(`${root}/`)).toBe(true);
        expect(realpathSync(real)).toBe(real);
      }),
      { numRuns: 300 },
    );
  });
});

describe('guard: the tools', () => {
  it.each([['read_file'], ['list_files'], ['search_text']])('%s refuses what lies outside in words', async (name) => {
    for (const written of ['out-dir', 'out-file', '../away', `${root}-evil`, 'file:///etc', '\\\\?\\x']) {
      const outcome = await run(name, { path: written, query: 'x' });
      expect(outcome).toMatchObject({ ok: false, content: expect.stringMatching(/inside|relative/) as string });
    }
  });

  it('search does not follow links on its way', async () => {
    const outcome = await run('search_text', { query: CANARY.slice(0, 6) });
    expect(outcome).toEqual({ ok: true, content: 'No matches.', summary: 'no matches' });
  });

  it('search takes no options from what the model writes', async () => {
    for (const query of ['--follow', '-L', '--pre=cat', '--no-ignore']) {
      expect((await run('search_text', { query, glob: '--follow', path: '.' })).content).not.toContain(CANARY);
    }
    for (const glob of ['../**', '/**', '!x', `${base}/**`]) {
      expect((await run('search_text', { query: CANARY.slice(0, 6), glob })).content).not.toContain(CANARY);
    }
  });

  it('list shows links as links', async () => {
    expect((await run('list_files', {})).content).toContain('out-dir (link)');
  });

  it('read never shows what is outside while a folder turns into a link and back', async () => {
    const flip = path.join(root, 'flip');
    symlinkSync(path.join(base, 'away'), `${flip}-link`);
    let going = true;
    const flipping = (async () => {
      while (going) {
        await rename(flip, `${flip}-away`);
        await rename(`${flip}-link`, flip);
        await pause(Math.random());
        await rename(flip, `${flip}-link`);
        await rename(`${flip}-away`, flip);
        await pause(Math.random());
      }
    })();
    const contents = new Set<string>();
    let reads = 0;
    for (let round = 0; round < 500 || (reads === 0 && round < 50_000); round += 1) {
      const outcome = await run('read_file', { path: 'flip/secret.txt' });
      if (!outcome.ok) continue;
      reads += 1;
      contents.add(outcome.content);
    }
    going = false;
    await flipping;
    expect([...contents]).toEqual(['harmless']);
  });
});
