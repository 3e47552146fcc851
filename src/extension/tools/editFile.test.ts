import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf, generatedEdit, wholeFile } from '../../../test/support/tools/generatedFile';
import { OpenDocuments } from '../../../test/support/tools/openDocuments';
import { carryOut, runTool } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';
import { editFileTool } from './editFile';
import { applyState } from './files/applyState';
import { versionPlace } from './files/versionPlace';
import { readFileTool } from './readFile';
import type { Planned, ToolOutcome } from './tool';
import type { ToolHost } from './toolHost';

let root: string;
let documents: OpenDocuments;
let host: ToolHost;
const never = new AbortController().signal;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'edit-')));
  documents = new OpenDocuments();
  host = testHost(root, { editors: documents });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function at(name: string): string {
  return path.join(root, name);
}

function plan(name: string, oldText: string, newText: string, rest: Record<string, unknown> = {}): Promise<Planned> {
  return editFileTool.plan({ path: name, old_text: oldText, new_text: newText, ...rest }, host, never);
}

async function edit(name: string, oldText: string, newText: string): Promise<ToolOutcome> {
  return carryOut(await plan(name, oldText, newText));
}

function read(name: string): Promise<ToolOutcome> {
  return runTool(readFileTool, { path: name }, host);
}

describe('edit_file', () => {
  it('edit of generated files on the disk changes the lines that it names, and undo restores byte for byte and mode', async () => {
    await fc.assert(
      fc.asyncProperty(generatedEdit, fc.constantFrom(0o644, 0o755, 0o600, 0o640), async (given, mode) => {
        const { file, first, last } = given;
        const before = wholeFile(file);
        writeFileSync(at('a'), before);
        chmodSync(at('a'), mode);
        const lines = file.lines.slice(first, last + 1).map((line) => line.shown);
        const planned = await plan('a', lines.join('\n'), [...lines.slice(0, given.kept), ...given.added].join('\n'));
        expect(readFileSync(at('a')).equals(before)).toBe(true);
        const outcome = await carryOut(planned);
        if (planned.kind === 'answered') {
          expect(['nothing to change', 'other encoding']).toContain(outcome.summary);
          expect(readFileSync(at('a')).equals(before)).toBe(true);
          return;
        }
        expect(outcome.ok).toBe(true);
        const after = readFileSync(at('a'));
        const head = Buffer.concat([file.mark, bytesOf(file, 0, first)]);
        const tail = Buffer.concat([file.lines[last]?.end ?? Buffer.alloc(0), bytesOf(file, last + 1)]);
        expect(after.subarray(0, head.length).equals(head)).toBe(true);
        expect(after.subarray(after.length - tail.length).equals(tail)).toBe(true);
        expect(statSync(at('a')).mode & 0o7777).toBe(mode);
        expect(planned.version).toEqual({
          path: at('a'),
          before: { bytes: before, mode },
          after: { bytes: after, mode },
        });

        const place = versionPlace(root, at('a'));
        const undone = await applyState(documents, place, planned.version?.after, planned.version?.before);
        expect(undone.ok).toBe(true);
        expect(readFileSync(at('a')).equals(before)).toBe(true);
        expect(statSync(at('a')).mode & 0o7777).toBe(mode);
      }),
      { numRuns: 60 },
    );
  });

  it('edit of a CRLF file finds text with LF and changes its lines only', async () => {
    for (const [before, after] of [
      ['a\r\nb\r\nc\r\n', 'A\r\nb\r\nc\r\n'],
      ['\uFEFFa\r\nb', '\uFEFFA\r\nb'],
    ] as const) {
      writeFileSync(at('a.ts'), before);
      expect(await edit('a.ts', 'a\nb', 'A\nb')).toMatchObject({
        ok: true,
        content: 'Edited a.ts at line 1.',
        summary: '+1 −1',
        change: { path: 'a.ts', kind: 'changed', added: 1, removed: 1, hunksLeftOut: 0 },
      });
      expect(readFileSync(at('a.ts'), 'utf8')).toBe(after);
    }
  });

  it('says what it would do, and does nothing before it has leave', async () => {
    writeFileSync(at('a.ts'), 'one\ntwo\n');
    const planned = await plan('a.ts', 'two', '2');
    expect(planned).toMatchObject({
      kind: 'ready',
      action: {
        kind: 'edit',
        place: { shown: 'a.ts', outside: false },
        change: { hunks: [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+2'] }] },
      },
    });
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('one\ntwo\n');
  });

  it('writes nothing when the file was changed while it waited for leave', async () => {
    writeFileSync(at('a.ts'), 'one\ntwo\n');
    const planned = await plan('a.ts', 'two', '2');
    writeFileSync(at('a.ts'), 'one\ntwo\nthree\n');
    const outcome = await carryOut(planned);
    expect(outcome).toMatchObject({ ok: false, summary: 'changed meanwhile' });
    expect(outcome.content).toContain('Nothing was written. Read it again.');
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  it('refuses an edit of a file that was changed since it was read, until it is read again', async () => {
    writeFileSync(at('a.ts'), 'one\ntwo\n');
    await read('a.ts');
    writeFileSync(at('a.ts'), 'ONE\ntwo\n');
    const stale = await edit('a.ts', 'two', '2');
    expect(stale).toMatchObject({ ok: false, content: expect.stringContaining('Read it again') as string });
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('ONE\ntwo\n');
    await read('a.ts');
    expect(await edit('a.ts', 'two', '2')).toMatchObject({ ok: true });
    expect(await edit('a.ts', '2', 'two')).toMatchObject({ ok: true });
  });

  it('edits the text in the editor when that is not saved, and undoes it there', async () => {
    writeFileSync(at('a.ts'), 'saved\r\n');
    documents.texts.set(at('a.ts'), 'typed\r\nby the person\r\n');
    expect(await read('a.ts')).toMatchObject({
      content: expect.stringMatching(/^typed\nby the person\n\[… .*not saved/) as string,
    });
    const planned = await plan('a.ts', 'typed\n', 'edited\n');
    const outcome = await carryOut(planned);
    expect(outcome).toMatchObject({ ok: true, content: expect.stringContaining('not saved') as string });
    expect(documents.texts.get(at('a.ts'))).toBe('edited\r\nby the person\r\n');
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('saved\r\n');
    const version = planned.kind === 'ready' ? planned.version : undefined;
    await applyState(documents, versionPlace(root, at('a.ts')), version?.after, version?.before);
    expect(documents.texts.get(at('a.ts'))).toBe('typed\r\nby the person\r\n');
  });

  it('leaves what the person typed while it waited for leave', async () => {
    writeFileSync(at('a.ts'), 'one\n');
    const planned = await plan('a.ts', 'one', 'two');
    documents.texts.set(at('a.ts'), 'one, typed\n');
    expect(await carryOut(planned)).toMatchObject({ ok: false, summary: 'changed meanwhile' });
    expect(documents.texts.get(at('a.ts'))).toBe('one, typed\n');
    expect(readFileSync(at('a.ts'), 'utf8')).toBe('one\n');
  });

  it('makes a file from an empty old text, and fills an empty one, but no other', async () => {
    expect(await edit('new/a.ts', '', 'x\n')).toMatchObject({ ok: true, change: { kind: 'created' } });
    expect(readFileSync(at('new/a.ts'), 'utf8')).toBe('x\n');
    expect(await edit('new/a.ts', '', 'y\n')).toMatchObject({ ok: false, summary: 'old_text is empty' });
    writeFileSync(at('empty'), '');
    expect(await edit('empty', '', 'x\n')).toMatchObject({ ok: true });
    expect(await edit('gone.ts', 'a', 'b')).toMatchObject({ ok: false, summary: 'not found' });
  });

  it('answers what changes nothing without asking', async () => {
    writeFileSync(at('a.ts'), 'a\r\nb\r\n');
    expect(await plan('a.ts', 'a\nb', 'a\nb')).toMatchObject({
      kind: 'answered',
      outcome: { summary: 'nothing to change' },
    });
  });

  it('refuses what would garble a file of another encoding', async () => {
    const latin = Buffer.from('caf\xe9\nbar\n', 'latin1');
    writeFileSync(at('a.txt'), latin);
    expect(await edit('a.txt', 'bar', 'bär')).toMatchObject({ ok: false, summary: 'other encoding' });
    expect(await edit('a.txt', 'caf\uFFFD', 'caf\uFFFDs')).toMatchObject({ ok: false });
    expect(readFileSync(at('a.txt')).equals(latin)).toBe(true);
    expect(await edit('a.txt', 'caf\uFFFD\nbar', 'caf\uFFFD\nbaz')).toMatchObject({ ok: true });
    expect(readFileSync(at('a.txt')).equals(Buffer.from('caf\xe9\nbaz\n', 'latin1'))).toBe(true);
  });

  it('refuses binary files, folders and files that are too large in words', async () => {
    writeFileSync(at('bin'), Buffer.from([1, 0, 2]));
    writeFileSync(at('big'), Buffer.alloc(10_485_761, 'x'));
    expect(await edit('bin', 'a', 'b')).toMatchObject({ ok: false, summary: 'binary' });
    expect(await edit('.', 'a', 'b')).toMatchObject({ ok: false, summary: 'a folder' });
    expect(await edit('big', 'a', 'b')).toMatchObject({ ok: false, summary: 'too large' });
  });
});
