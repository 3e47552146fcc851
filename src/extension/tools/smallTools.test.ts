import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diagnosticsTool } from './diagnostics';
import type { Problem } from './problemSource';
import { rememberTool } from './remember';
import { todoTool } from './todo';
import type { ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';
import { runTool } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';

const never = new AbortController().signal;
let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'small-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, content = ''): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

describe('diagnostics', () => {
  function problem(file: string, special: Partial<Problem> = {}): Problem {
    return { path: path.join(root, file), line: 1, column: 1, severity: 'error', message: `bad ${file}`, ...special };
  }

  function ask(problems: readonly Problem[], args: Record<string, unknown> = {}): Promise<ToolOutcome> {
    return runTool(diagnosticsTool, args, testHost(root, { problems: { all: () => problems } }));
  }

  it('lists what the editor found, errors first, in the order of files and lines', async () => {
    for (const file of ['src/b.ts', 'src/a.ts', 'c.ts']) put(file);
    const problems = [
      problem('c.ts', { severity: 'warning', source: 'eslint', message: 'unused\n  variable' }),
      problem('src/b.ts', { line: 9, column: 3 }),
      problem('src/b.ts', { line: 2 }),
      problem('src/a.ts', { severity: 'hint' }),
    ];
    expect(await ask(problems)).toEqual({
      ok: true,
      content:
        'src/b.ts:2:1: error: bad src/b.ts\nsrc/b.ts:9:3: error: bad src/b.ts\n' +
        'c.ts:1:1: warning (eslint): unused variable\nsrc/a.ts:1:1: hint: bad src/a.ts',
      summary: '2 errors, 1 warning, 1 hint',
    });
    expect((await ask(problems, { path: 'src' })).summary).toBe('2 errors, 1 hint');
    expect((await ask(problems, { path: 'c.ts' })).summary).toBe('1 warning');
    expect(await ask([])).toEqual({ ok: true, content: 'No problems are known.', summary: 'no problems' });
  });

  it('guard: tells nothing of files outside, or hidden, by whichever name', async () => {
    put('.holdfastignore', 'secret*');
    put('secret.ts');
    symlinkSync('secret.ts', path.join(root, 'plain.ts'));
    symlinkSync(tmpdir(), path.join(root, 'out'));
    const files = ['secret.ts', 'plain.ts', 'out', '../x.ts', 'gone.ts'];
    expect((await ask(files.map((file) => problem(file)))).summary).toBe('no problems');
    expect((await ask([], { path: 'secret.ts' })).summary).toBe('hidden');
    expect((await ask([], { path: '..' })).summary).toBe('outside the folder');
  });

  it('cuts a long list and says how much is left', async () => {
    put('a.ts');
    const outcome = await ask(Array.from({ length: 130 }, (_, line) => problem('a.ts', { line: line + 1 })));
    expect(outcome.content.split('\n')).toHaveLength(101);
    expect(outcome).toMatchObject({
      summary: '130 errors',
      content: expect.stringContaining('30 more problems') as string,
    });
  });
});

describe('todo', () => {
  function write(items: unknown): Promise<ToolOutcome> {
    return runTool(todoTool, { items }, testHost(root));
  }

  it('answers the whole list as it is now', async () => {
    const items = [{ text: 'a', status: 'done' }, { text: ' b\nc ', status: 'in_progress' }, { text: 'd' }];
    expect(await write(items)).toEqual({ ok: true, content: '[x] a\n[>] b c\n[ ] d', summary: '1 of 3 done' });
    expect(await write(JSON.stringify(items))).toMatchObject({ summary: '1 of 3 done' });
    expect(await write([])).toEqual({ ok: true, content: '(The list is empty.)', summary: 'empty' });
  });

  it('asks for one item at a time, and refuses a list that is none', async () => {
    const busy = { text: 'a', status: 'in_progress' };
    expect((await write([busy, busy])).content).toContain('[2 items are in_progress.');
    expect(await write([{ text: 'a', status: 'soon' }])).toMatchObject({ ok: false, summary: 'bad arguments' });
    expect(await write(Array.from({ length: 51 }, () => busy))).toMatchObject({ ok: false });
  });
});

describe('remember', () => {
  function hostWith(entries: string[]): ToolHost {
    return testHost(root, {
      memory: {
        path: (scope) => (scope === 'folder' ? path.join(root, '.holdfast/memory.md') : undefined),
        append: (scope, text) => {
          entries.push(`${scope}: ${text}`);
          return Promise.resolve({ ok: true, value: undefined });
        },
      },
    });
  }

  it('says what it would write before it writes it, and writes just that', async () => {
    const entries: string[] = [];
    const host = hostWith(entries);
    const planned = await rememberTool.plan({ text: ' Use\u202E tabs.\r\n\n# Rules\u0007 ' }, host, never);
    const text = 'Use tabs. # Rules';
    expect(planned).toMatchObject({
      action: { kind: 'memory', scope: 'folder', path: path.join(root, '.holdfast/memory.md'), text },
    });
    expect(entries).toEqual([]);
    if (planned.kind === 'ready') await planned.run({ signal: never, output: () => undefined });
    expect(entries).toEqual([`folder: ${text}`]);
  });

  it('refuses what is empty, too long, or has no place here', async () => {
    const entries: string[] = [];
    const remember = (args: Record<string, unknown>): Promise<ToolOutcome> =>
      runTool(rememberTool, args, hostWith(entries));
    expect((await remember({ text: ' \n\u200b\u3164\u{e0100}\u200d' })).summary).toBe('nothing');
    expect((await remember({ text: 'x'.repeat(501) })).summary).toBe('too long');
    expect((await remember({ text: 'x', scope: 'everywhere' })).summary).toBe('no such place');
    put('.holdfastignore', '.holdfast/');
    expect((await remember({ text: 'x' })).summary).toBe('hidden');
    expect(entries).toEqual([]);
  });
});
