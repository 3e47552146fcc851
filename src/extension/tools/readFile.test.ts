import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpenDocuments } from '../../../test/support/tools/openDocuments';
import { runTool } from '../../../test/support/tools/runTool';
import { testHost } from '../../../test/support/tools/testHost';
import { readFileTool } from './readFile';
import type { ToolOutcome } from './tool';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
let root: string;
let documents: OpenDocuments;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'read-')));
  documents = new OpenDocuments();
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function read(name: string, vision = true): Promise<ToolOutcome> {
  return runTool(readFileTool, { path: name }, testHost(root, { editors: documents, vision }));
}

describe('read_file', () => {
  it('gives an image to a model that sees, whatever its name', async () => {
    writeFileSync(path.join(root, 'plan.txt'), PNG);
    expect(await read('plan.txt')).toEqual({
      ok: true,
      content: '(The image plan.txt, image/png, 1 KB.)',
      summary: 'image, 1 KB',
      image: { mediaType: 'image/png', bytes: PNG.length, data: PNG.toString('base64') },
    });
  });

  it.each([
    ['a model that sees none', PNG, false, 'cannot see images'],
    ['a kind that no model sees', Buffer.from('GIF89a\x01\0'), true, 'GIF'],
    ['one that is too large', Buffer.concat([PNG, Buffer.alloc(10_485_760)]), true, '10 MB'],
  ])('says why an image is not given: %s', async (_, bytes, vision, words) => {
    writeFileSync(path.join(root, 'a.png'), bytes);
    const outcome = await read('a.png', vision);
    expect(outcome).toMatchObject({ ok: false, content: expect.stringContaining(words) as string });
    expect(outcome).not.toHaveProperty('image');
  });

  it('reads text in the editor that is not saved, and says so', async () => {
    writeFileSync(path.join(root, 'a.ts'), 'saved\n');
    documents.texts.set(path.join(root, 'a.ts'), 'typed\r\n');
    expect(await read('a.ts')).toEqual({
      ok: true,
      content: 'typed\n[… this is the text in the editor, with changes that are not saved …]',
      summary: '1 line, not saved',
    });
  });

  it('shows the lines of a file with CR alone', async () => {
    writeFileSync(path.join(root, 'a.txt'), 'a\rb\r');
    expect(await read('a.txt')).toMatchObject({ content: 'a\nb', summary: '2 lines' });
  });

  it('guard: a device outside is neither opened nor waited for, even with leave', async () => {
    symlinkSync('/dev/zero', path.join(root, 'zero'));
    expect(await read('zero')).toMatchObject({ ok: false, summary: 'no file' });
  });
});
