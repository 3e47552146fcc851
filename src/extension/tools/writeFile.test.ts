import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenDocuments } from '../../../test/support/tools/openDocuments';
import { carryOut, runTool } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';
import { DIFF_LINES } from '../base/limits';
import { editFileTool } from './editFile';
import { digestOf } from './permissions/digest';
import { readFileTool } from './readFile';
import type { Planned, ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';
import { writeFileTool } from './writeFile';

let base: string;
let root: string;
let documents: OpenDocuments;
let host: ToolHost;
const never = new AbortController().signal;

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'write-')));
  root = path.join(base, 'root');
  mkdirSync(root);
  documents = new OpenDocuments();
  host = testHost(root, { editors: documents });
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function at(name: string): string {
  return path.join(root, name);
}

function plan(name: string, content: string): Promise<Planned> {
  return writeFileTool.plan({ path: name, content }, host, never);
}

async function write(name: string, content: string): Promise<ToolOutcome> {
  return carryOut(await plan(name, content));
}

function read(name: string, rest: Record<string, unknown> = {}): Promise<ToolOutcome> {
  return runTool(readFileTool, { path: name, ...rest }, host);
}

describe('write_file', () => {
  it('makes a file as it is written, with its folders and the mode of new files', async () => {
    const outcome = await write('src/deep/a.ts', 'one\r\ntwo');
    expect(outcome).toMatchObject({
      ok: true,
      content: 'Made src/deep/a.ts with 2 lines.',
      summary: '+2 −0',
      change: { path: 'src/deep/a.ts', kind: 'created', added: 2, removed: 0 },
    });
    expect(readFileSync(at('src/deep/a.ts'), 'utf8')).toBe('one\r\ntwo');
    expect(statSync(at('src/deep/a.ts')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('replaces only what the model has read here, as it is now', async () => {
    writeFileSync(at('a.ts'), 'of the person\n');
    expect(await write('a.ts', 'x\n')).toMatchObject({ ok: false, summary: 'not read yet' });
    await read('a.ts', { start_line: 1, end_line: 1 });
    writeFileSync(at('a.ts'), 'of the person, changed\n');
    expect(await write('a.ts', 'x\n')).toMatchObject({ ok: false, summary: 'changed since it was read' });
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('of the person, changed\n');
    await read('a.ts');
    expect(await write('a.ts', 'x\n')).toMatchObject({ ok: true, summary: '+1 −1' });
    expect(await write('a.ts', 'y\n')).toMatchObject({ ok: true });
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('y\n');
  });

  it('replaces no file of which the model has seen only a part', async () => {
    const part = { ok: false, summary: 'read in part' };
    writeFileSync(at('a.ts'), 'one\ntwo\n');
    await read('a.ts', { start_line: 2 });
    expect(await write('a.ts', 'x\n')).toMatchObject(part);
    await runTool(editFileTool, { path: 'a.ts', old_text: 'two', new_text: '2' }, host);
    expect(await write('a.ts', 'x\n')).toMatchObject(part);
    await read('a.ts');
    await read('a.ts', { start_line: 2 });
    await runTool(editFileTool, { path: 'a.ts', old_text: '2', new_text: 'II' }, host);
    expect(await write('a.ts', 'x\n')).toMatchObject({ ok: true });
    for (const text of ['line\n'.repeat(3_000), 'x'.repeat(3_000)]) {
      writeFileSync(at('long.ts'), text);
      await read('long.ts');
      expect(await write('long.ts', 'x\n')).toMatchObject(part);
    }
  });

  it('does not take an edit for having read the file', async () => {
    writeFileSync(at('a.ts'), 'one\ntwo\n');
    expect(await runTool(editFileTool, { path: 'a.ts', old_text: 'one', new_text: '1' }, host)).toMatchObject({
      ok: true,
    });
    expect(await write('a.ts', 'x\n')).toMatchObject({ ok: false, summary: 'not read yet' });
  });

  it.each([
    ['CRLF', 'a\r\nb\r\n', 'a\nB\nc\n', 'a\r\nB\r\nc\r\n'],
    ['CR', 'a\rb\r', 'a\nB\n', 'a\rB\r'],
    ['LF', 'a\nb\n', 'a\nB\n', 'a\nB\n'],
    ['mixed line breaks', 'a\r\nb\nc\n', 'a\nb\nC\n', 'a\r\nb\nC\n'],
    ['a byte order mark', '\uFEFFa\r\n', '\uFEFFb\n', '\uFEFFb\r\n'],
    ['line breaks that the model writes itself', 'a\nb\n', 'a\r\nB\r\n', 'a\r\nB\r\n'],
  ])('keeps %s of the file that it replaces', async (_, before, content, after) => {
    writeFileSync(at('a'), before);
    await read('a');
    expect(await write('a', content)).toMatchObject({ ok: true });
    expect(readFileSync(at('a'), 'utf8')).toBe(after);
  });

  it('keeps encoding, mode and identity of the file that it replaces, and bytes that are no characters', async () => {
    writeFileSync(at('le'), Buffer.from('\uFEFFzażółć\r\n', 'utf16le'));
    chmodSync(at('le'), 0o750);
    const { ino } = statSync(at('le'));
    await read('le');
    expect(await write('le', 'gęś\n')).toMatchObject({ ok: true });
    expect(readFileSync(at('le')).equals(Buffer.from('\uFEFFgęś\r\n', 'utf16le'))).toBe(true);
    expect(statSync(at('le'))).toMatchObject({ ino, mode: 0o100750 });
    writeFileSync(at('latin'), Buffer.from('caf\xe9\nb\n', 'latin1'));
    const { content } = await read('latin');
    expect(await write('latin', `${content}\nc\n`)).toMatchObject({ ok: true });
    expect(readFileSync(at('latin')).equals(Buffer.from('caf\xe9\nb\nc\n', 'latin1'))).toBe(true);
  });

  it('has nothing to ask when the file has this content', async () => {
    writeFileSync(at('a'), 'a\r\n');
    await read('a');
    expect(await plan('a', 'a\n')).toMatchObject({
      kind: 'answered',
      outcome: { ok: true, summary: 'nothing to change' },
    });
  });

  it('writes into the editor when the file is open there with changes that are not saved', async () => {
    writeFileSync(at('a'), 'saved\n');
    await read('a');
    documents.texts.set(at('a'), 'typed\n');
    expect(await write('a', 'x\n')).toMatchObject({ ok: false, summary: 'changed since it was read' });
    await read('a');
    expect(await write('a', 'x\n')).toMatchObject({
      ok: true,
      content: expect.stringContaining('not saved') as string,
    });
    expect(documents.texts.get(at('a'))).toBe('x\n');
    expect(readFileSync(at('a'), 'utf8')).toBe('saved\n');
  });

  it('says why a file cannot be made', async () => {
    writeFileSync(at('file'), 'x');
    expect(await write('file/a', 'x')).toMatchObject({ ok: false });
    const planned = await plan('late', 'x');
    writeFileSync(at('late'), 'of another');
    expect(await carryOut(planned)).toMatchObject({ ok: false, summary: 'changed meanwhile' });
    expect(readFileSync(at('late'), 'utf8')).toBe('of another');
  });
});

describe('guard: writing tools', () => {
  let beyond: string;

  beforeEach(() => {
    beyond = path.join(base, 'beyond');
    mkdirSync(beyond);
    writeFileSync(path.join(beyond, 'canary'), 'SECRET line\n');
  });

  afterEach(() => {
    expect(readdirSync(beyond)).toEqual(['canary']);
    expect(readFileSync(path.join(beyond, 'canary'), 'utf8')).toBe('SECRET line\n');
  });

  it('guard: what lies outside is asked for, by whatever name, and kept for no undo', async () => {
    symlinkSync(path.join(beyond, 'canary'), at('link'));
    symlinkSync(beyond, at('folder'));
    symlinkSync(path.join(beyond, 'missing'), at('dangling'));
    for (const name of ['link', 'folder/canary', '../beyond/canary', path.join(beyond, 'canary')]) {
      const planned = await editFileTool.plan({ path: name, old_text: 'SECRET', new_text: 'x' }, host, never);
      expect(planned).toMatchObject({ kind: 'ready', action: { kind: 'edit', place: { outside: true } } });
      expect(planned).not.toHaveProperty('version');
    }
    for (const name of ['dangling', 'folder/new', '../beyond/new']) {
      expect(await plan(name, 'x')).toMatchObject({
        kind: 'ready',
        action: { kind: 'edit', place: { outside: true } },
      });
    }
  });

  it('guard: leave for a file outside is for all of its text, not only for what is shown', async () => {
    const digests = await Promise.all(
      ['one', 'two'].map(async (end) => {
        const planned = await plan('../beyond/new', `${'line\n'.repeat(DIFF_LINES)}${end}\n`);
        return planned.kind === 'ready' ? [digestOf(planned), JSON.stringify(planned.action)] : [];
      }),
    );
    expect(digests[0]?.[1]).toBe(digests[1]?.[1]);
    expect(digests[0]?.[0]).not.toBe(digests[1]?.[0]);
  });

  it('guard: words that tell what is in a file outside are given with leave to read it only', async () => {
    symlinkSync(path.join(beyond, 'canary'), at('link'));
    const edits = [
      editFileTool.plan({ path: 'link', old_text: 'SECRET lime', new_text: 'x' }, host, never),
      editFileTool.plan({ path: 'link', old_text: 'SECRET', new_text: 'SECRET' }, host, never),
      editFileTool.plan({ path: 'link', old_text: '', new_text: 'x' }, host, never),
      editFileTool.plan({ path: '../beyond/no-such-file', old_text: 'a', new_text: 'x' }, host, never),
      plan('link', 'x'),
      readFileTool.plan({ path: 'link' }, host, never),
    ];
    for (const planned of await Promise.all(edits)) {
      expect(planned).toMatchObject({ kind: 'ready', action: { kind: 'read', place: { outside: true } } });
    }
  });

  it('guard: a folder that becomes a link while it waits for leave leads nowhere', async () => {
    mkdirSync(at('folder'));
    writeFileSync(at('folder/canary'), 'SECRET line\n');
    const planned = [
      await editFileTool.plan({ path: 'folder/canary', old_text: 'SECRET', new_text: 'x' }, host, never),
      await plan('folder/new', 'x'),
      await plan('folder/deep/new', 'x'),
    ];
    renameSync(at('folder'), at('away'));
    symlinkSync(beyond, at('folder'));
    for (const one of planned) expect((await carryOut(one)).ok).toBe(false);
    expect(readFileSync(at('away/canary'), 'utf8')).toBe('SECRET line\n');
  });

  it('guard: a file that becomes a link while it waits for leave is not followed', async () => {
    writeFileSync(at('a'), 'SECRET line\n');
    const planned = await editFileTool.plan({ path: 'a', old_text: 'SECRET', new_text: 'x' }, host, never);
    const made = await plan('new', 'x');
    rmSync(at('a'));
    symlinkSync(path.join(beyond, 'canary'), at('a'));
    symlinkSync(path.join(beyond, 'new'), at('new'));
    expect((await carryOut(planned)).ok).toBe(false);
    expect((await carryOut(made)).ok).toBe(false);
  });

  it('guard: devices and pipes are not opened', async () => {
    execFileSync('sh', ['-c', 'mkfifo pipe'], { cwd: root });
    symlinkSync('/dev/null', at('null'));
    expect(await write('pipe', 'x')).toMatchObject({ ok: false, summary: 'no file' });
    expect(await write('null', 'x')).toMatchObject({ ok: false, summary: 'no file' });
    expect(await runTool(editFileTool, { path: 'pipe', old_text: 'a', new_text: 'b' }, host)).toMatchObject({
      ok: false,
    });
  });

  it('guard: no folder is made outside', async () => {
    const planned = await plan('../beyond-new/a', 'x');
    expect((await carryOut(planned)).ok).toBe(false);
    expect(existsSync(path.join(base, 'beyond-new'))).toBe(false);
  });
});
