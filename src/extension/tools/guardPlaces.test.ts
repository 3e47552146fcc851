import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/part';
import { diagnosticsTool } from './diagnostics';
import { editFileTool } from './editFile';
import { findFilesTool } from './findFiles';
import { listFilesTool } from './listFiles';
import { decide } from './permissions/decide';
import { readFileTool } from './readFile';
import { ripgrepPath } from './ripgrep';
import { searchTextTool } from './searchText';
import type { Tool, ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';
import { writeFileTool } from './writeFile';
import { generatedCalls } from '../../../test/support/tools/generatedCalls';
import { carryOut } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';

/** What stands in files beyond the root, and the name of one of them. No call says either. */
const CANARY = 'CANARY_7f3a';
const CANARY_FILE = 'listed_9c41.txt';
/** What stands in files that are hidden. */
const HIDDEN = 'HIDDEN_b802';
/** Finds both. */
const QUERY = '(canary|hidden)_';

const never = new AbortController().signal;
const TOOLS: readonly Tool[] = [
  readFileTool,
  listFilesTool,
  findFilesTool,
  searchTextTool,
  diagnosticsTool,
  writeFileTool,
  editFileTool,
];

let base: string;
let root: string;
let host: ToolHost;

/**
 * base/ws        the workspace folder, with links of every kind, a repository and hidden files
 * base/ws-evil   a sibling whose name begins alike
 * base/away      a folder outside
 * base/door      a link to ws
 */
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'guard-')));
  root = path.join(base, 'ws');
  for (const folder of ['ws/sub/deep', 'ws/private', 'ws/.git/hooks', 'ws-evil', 'away/dir', 'away/.git'])
    mkdirSync(path.join(base, folder), { recursive: true });
  for (const file of ['ws/top.txt', 'ws/sub/inside.txt', 'ws/.env.example', 'ws/.git/config', 'ws/.git/hooks/run'])
    writeFileSync(path.join(base, file), 'harmless\n');
  for (const file of [
    'ws-evil/secret.txt',
    'away/secret.txt',
    'away/dir/secret.txt',
    'away/.env',
    `away/${CANARY_FILE}`,
    'outer.txt',
  ])
    writeFileSync(path.join(base, file), `${CANARY}\n`);
  for (const file of ['ws/.env', 'ws/sub/.env', 'ws/private/secret.txt'])
    writeFileSync(path.join(base, file), `${HIDDEN}\n`);
  writeFileSync(path.join(root, '.holdfastignore'), '.env\nprivate/\n');
  const links: [string, string][] = [
    ['ws/out-file', path.join(base, 'away/secret.txt')],
    ['ws/out-dir', path.join(base, 'away')],
    ['ws/out-relative', '../away'],
    ['ws/out-twice', 'out-dir/dir'],
    ['ws/sub/out-up', '../..'],
    ['ws/dangling-out', path.join(base, 'away/new.txt')],
    ['ws/dangling-twice', 'dangling-out'],
    ['ws/dangling-dir', '../away/none/deep'],
    ['ws/dangling-in', 'sub/made.txt'],
    ['ws/loop', 'loop'],
    ['ws/in-file', 'sub/inside.txt'],
    ['ws/in-dir', 'sub'],
    ['ws/to-hidden', '.env'],
    ['ws/to-private', 'private'],
    ['ws/to-hooks', '.git/hooks'],
    ['door', 'ws'],
  ];
  for (const [link, target] of links) symlinkSync(target, path.join(base, link));
  host = testHost(root, {
    ripgrepPath: ripgrepPath(process.cwd()),
    problems: {
      all: () =>
        ['away/secret.txt', 'ws/.env', 'ws/out-file', 'ws/private/secret.txt', 'ws/top.txt'].map((file) => ({
          path: path.join(base, file),
          line: 1,
          column: 1,
          severity: 'error' as const,
          message: file === 'ws/top.txt' ? 'harmless' : `${CANARY} ${HIDDEN}`,
        })),
    },
  });
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

/** As in the freest mode with every rule; whoever is asked says no. */
async function call(name: string, args: JsonObject, from = host): Promise<ToolOutcome | 'asked'> {
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  const planned = await tool.plan(args, from, never);
  if (planned.kind === 'ready' && planned.action !== undefined) {
    const decision = decide(planned.action, {
      mode: 'bypass',
      rules: [{ kind: 'files', pattern: '**' }],
      answerGrants: { cover: () => true },
      unsaved: false,
      trusted: true,
    });
    if (decision.kind !== 'allow') return 'asked';
  }
  return carryOut(planned, never);
}

/** Everything that may not change: names, bytes and times of what is outside, hidden or guarded. */
function untouchables(): Readonly<Record<string, string>> {
  const seen: Record<string, string> = {};
  const look = (file: string): void => {
    const stat = lstatSync(file, { bigint: true });
    const times = `${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode} ${stat.ino}`;
    seen[file] = stat.isFile() ? `${times} ${readFileSync(file, 'utf8')}` : times;
    if (stat.isDirectory()) for (const name of readdirSync(file)) look(path.join(file, name));
  };
  for (const name of readdirSync(base)) if (name !== 'ws') look(path.join(base, name));
  for (const file of ['.env', 'sub/.env', 'private', '.git', '.holdfastignore']) look(path.join(root, file));
  return seen;
}

describe('guard: what lies beyond the folder, and what is hidden in it', () => {
  it(
    'is neither told nor changed by any tool, in 10,000 calls, however a path is spelt',
    async () => {
      const first = untouchables();
      let last = first;
      const counts = { told: 0, asked: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(generatedCalls(QUERY), async ({ name, args }) => {
          const written = Object.fromEntries(
            Object.entries(args).map(([key, value]) => [
              key,
              typeof value === 'string' ? value.replace('ROOT', root).replace('BASE', base) : value,
            ]),
          );
          const outcome = await call(name, written);
          if (outcome === 'asked') counts.asked += 1;
          else {
            counts[outcome.ok ? 'told' : 'refused'] += 1;
            const all = JSON.stringify(outcome);
            for (const secret of [CANARY, CANARY_FILE, HIDDEN]) expect(all).not.toContain(secret);
          }
          if (outcome === 'asked' || outcome.change === undefined) return;
          // Compared with the call before, so that what is found is the call that did it.
          const before = last;
          last = untouchables();
          expect(last).toEqual(before);
        }),
        { numRuns: 10_000 },
      );
      expect(untouchables()).toEqual(first);
      // Otherwise nothing was tried.
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(500);
    },
    // However slow the machine is: the number of calls is what counts.
    600_000,
  );
});

/** What comes of a path with each tool that takes one: `asked`, or the words for the row. */
async function withEach(written: string, from = host): Promise<Readonly<Record<string, string>>> {
  const results: Record<string, string> = {};
  for (const { name } of TOOLS) {
    const args = { path: written, pattern: '*', query: '.', regex: true, content: 'x', old_text: '_', new_text: 'x' };
    const outcome = await call(name, args, from);
    results[name] = outcome === 'asked' ? 'asked' : outcome.summary;
  }
  return results;
}

describe('guard: field report I05 and I06, a link or spelling that leads outside', () => {
  const lookers = ['list_files', 'find_files', 'search_text', 'diagnostics'];

  it.each([
    ['out-file'],
    ['out-dir/new.txt'],
    ['out-twice/secret.txt'],
    ['dangling-out'],
    ['dangling-twice'],
    ['dangling-dir/x.txt'],
    ['../away/secret.txt'],
    ['sub/../../away/secret.txt'],
    ['../ws-evil/secret.txt'],
    ['/etc/hostname'],
  ])('%j: asked about by what reads and writes files, refused by what looks around', async (written) => {
    const before = untouchables();
    const results = await withEach(written);
    for (const name of lookers) expect(results[name], name).toBe('outside the folder');
    for (const name of ['read_file', 'write_file', 'edit_file']) expect(results[name], name).toBe('asked');
    expect(untouchables()).toEqual(before);
  });

  it.each([['\\\\?\\C:\\x'], ['file:///etc/hostname'], ['//server/share'], ['top.txt\0']])(
    '%j: refused by all',
    async (written) => {
      for (const summary of Object.values(await withEach(written))) expect(summary).toBe('bad path');
    },
  );

  it('a guess at what is outside is asked about whether it is right or not', async () => {
    for (const old_text of [CANARY, 'something else'])
      expect(await call('edit_file', { path: 'out-file', old_text, new_text: 'x' })).toBe('asked');
    for (const file of ['out-dir/secret.txt', 'out-dir/none.txt'])
      expect(await call('read_file', { path: file })).toBe('asked');
  });

  it('a link that stays inside works, and so does a folder that is a link itself', async () => {
    const door = testHost(path.join(base, 'door'), { ripgrepPath: ripgrepPath(process.cwd()) });
    for (const from of [host, door]) {
      expect(await call('read_file', { path: 'in-dir/inside.txt' }, from)).toMatchObject({ content: 'harmless' });
      expect(await call('list_files', { path: 'in-dir' }, from)).toMatchObject({ ok: true });
      expect(await call('find_files', { path: 'in-dir', pattern: '*.txt' }, from)).toMatchObject({
        content: 'sub/inside.txt',
      });
      expect(await call('search_text', { path: 'in-file', query: 'harm' }, from)).toMatchObject({
        content: 'sub/inside.txt:1: harmless',
      });
    }
    expect(await call('write_file', { path: 'dangling-in', content: 'made' })).toMatchObject({ ok: true });
    expect(readFileSync(path.join(root, 'sub/made.txt'), 'utf8')).toBe('made');
  });

  it('a search that goes through everything follows no link on its way', async () => {
    expect(await call('search_text', { query: QUERY, regex: true })).toMatchObject({
      content: expect.stringMatching(/^No matches/) as string,
    });
    const found = await call('find_files', { pattern: '*.txt' });
    expect(found).toMatchObject({ content: 'sub/inside.txt\ntop.txt' });
  });
});

describe('guard: field report I08, a file that is hidden from the agent', () => {
  it.each([
    ['.env'],
    ['sub/.env'],
    ['.ENV'],
    ['to-hidden'],
    ['private'],
    ['private/secret.txt'],
    ['to-private/secret.txt'],
    ['in-dir/.env'],
  ])('%j is refused by every tool', async (written) => {
    for (const [name, summary] of Object.entries(await withEach(written))) expect(summary, name).toBe('hidden');
    expect(existsSync(path.join(root, '.ENV'))).toBe(false);
  });

  it('is in no list and no search, not even by a glob that names it', async () => {
    expect(await call('list_files', {})).toMatchObject({
      content: expect.not.stringMatching(/^(?:\.env|private\/)$/m) as string,
    });
    for (const pattern of ['.env', '.e*', '**/.env', '**']) {
      const found = await call('find_files', { pattern });
      expect(found).toMatchObject({ content: expect.not.stringMatching(/^(?:sub\/)?\.env$|private/m) as string });
      const searched = await call('search_text', { query: 'hidden_', glob: pattern });
      expect(searched).toMatchObject({ summary: 'no matches' });
    }
  });

  it('leaves .env.example free', async () => {
    expect(await call('read_file', { path: '.env.example' })).toMatchObject({ content: 'harmless' });
    expect(await call('edit_file', { path: '.env.example', old_text: 'harmless', new_text: 'X=' })).toMatchObject({
      ok: true,
    });
  });
});
