import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, generatedEdit, wholeFile, type GeneratedEdit } from '../../../../test/support/tools/generatedFile';
import { planEdit } from './planEdit';
import { decodeBytes, encodeText } from './textCodec';

/** What a model could write for the lines that it was shown. */
type Habit = (lines: readonly string[]) => readonly string[];

const asShown: Habit = (lines) => lines;
const withoutTrail: Habit = (lines) => lines.map((line) => line.trimEnd());
const moreTrail: Habit = (lines) => lines.map((line) => `${line} `);

/** Of a line that the edit does not close, white space at its end would belong to what comes behind the edit. */
function textsOf(edit: GeneratedEdit, habit: Habit, lineBreak: string): { oldText: string; newText: string } {
  const lines = edit.file.lines.slice(edit.first, edit.last + 1).map((line) => line.shown);
  const shown = edit.closed ? habit(lines) : [...habit(lines.slice(0, -1)), ...lines.slice(-1)];
  const end = edit.closed ? lineBreak : '';
  return {
    oldText: shown.join(lineBreak) + end,
    newText: [...shown.slice(0, edit.kept), ...edit.added].join(lineBreak) + end,
  };
}

/** The bytes of the file after the edit, and the failure's summary when there is one. */
function edited(bytes: Buffer, oldText: string, newText: string, all = false): Buffer | string {
  const decoded = decodeBytes(bytes);
  if (decoded === undefined) return 'binary';
  const result = planEdit(decoded.text, { oldText, newText, all }, 'a.txt');
  return result.ok ? encodeText(result.value.text, decoded.form) : result.failure.summary;
}

/** Checks that the bytes are those from before, but for the lines of the edit, of which the kept ones are there whole. */
function expectOnlyEdited(after: Buffer | string, edit: GeneratedEdit): void {
  if (typeof after === 'string') throw new Error(`${after}: ${edit.file.kind}`);
  const { file, first, last, kept } = edit;
  const { lines } = file;
  const closing = edit.closed ? Buffer.alloc(0) : (lines[last]?.end ?? Buffer.alloc(0));
  const head = Buffer.concat([file.mark, bytesOf(file, 0, first)]);
  const tail = Buffer.concat([closing, bytesOf(file, last + 1)]);
  expect(after.subarray(0, head.length).equals(head)).toBe(true);
  expect(after.subarray(after.length - tail.length).equals(tail)).toBe(true);
  const middle = after.subarray(head.length, after.length - tail.length);
  const keptBytes = Buffer.concat(
    lines
      .slice(first, first + kept)
      .flatMap((line, index) => [line.bytes, index < kept - 1 ? line.end : Buffer.alloc(0)]),
  );
  expect(middle.subarray(0, keptBytes.length).equals(keptBytes)).toBe(true);
  const ends = new Set(lines.map((line) => line.end.toString('hex')));
  if (lines.length > 1) {
    const rest = decodeBytes(Buffer.concat([file.mark, middle.subarray(keptBytes.length)]))?.text ?? '';
    for (const sign of rest.match(/\r\n|\r|\n/g) ?? []) expect(ends).toContain(file.encode(sign).toString('hex'));
  }
}

describe('an edit of a generated file', () => {
  it.each([
    ['as they are shown', asShown, '\n', 3500],
    ['without the white space at line ends', withoutTrail, '\n', 2500],
    ['with more white space at line ends', moreTrail, '\n', 1500],
    ['with CRLF', asShown, '\r\n', 1500],
  ])('edit of lines that are written %s: all other bytes are equal', (_, habit, lineBreak, numRuns) => {
    fc.assert(
      fc.property(generatedEdit, (edit) => {
        const { oldText, newText } = textsOf(edit, habit, lineBreak);
        expectOnlyEdited(edited(wholeFile(edit.file), oldText, newText), edit);
      }),
      { numRuns },
    );
  });

  it('edit of a word in a line leaves all other bytes equal', () => {
    fc.assert(
      fc.property(generatedEdit, fc.constantFrom('', 'X', '語\n👋'), ({ file, first }, word) => {
        const line = file.lines[first];
        const name = `L${first}.`;
        const before = wholeFile(file);
        const after = edited(before, name, word);
        const at = file.mark.length + bytesOf(file, 0, first).length + (line?.bytes.indexOf(file.encode(name)) ?? 0);
        const end = at + file.encode(name).length;
        if (typeof after === 'string') throw new Error(after);
        expect(after.subarray(0, at).equals(before.subarray(0, at))).toBe(true);
        expect(after.subarray(after.length - (before.length - end)).equals(before.subarray(end))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('edit of every line is edited everywhere and nowhere else', () => {
    fc.assert(
      fc.property(generatedEdit, ({ file }) => {
        const after = edited(wholeFile(file), '.', '', true);
        const expected = Buffer.concat([
          file.mark,
          ...file.lines.flatMap((line) => [withoutDots(line.bytes, file.encode('.')), line.end]),
        ]);
        expect(Buffer.isBuffer(after) && after.equals(expected)).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });
});

function withoutDots(bytes: Buffer, dot: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let start = 0;
  for (let at = bytes.indexOf(dot); at >= 0; at = bytes.indexOf(dot, at + 1)) {
    if (at % dot.length !== 0) continue;
    pieces.push(bytes.subarray(start, at));
    start = at + dot.length;
  }
  return Buffer.concat([...pieces, bytes.subarray(start)]);
}

function editText(text: string, oldText: string, newText: string, all = false): string {
  const result = planEdit(text, { oldText, newText, all }, 'a.ts');
  return result.ok ? result.value.text : `${result.failure.summary}: ${result.failure.content}`;
}

describe('an edit', () => {
  it.each([
    ['CRLF and LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nB', 'a\r\nB\r\nc\r\n'],
    ['CRLF that is written so', 'a\r\nb\r\nc\r\n', 'a\r\nb', 'a\r\nB\r\nX', 'a\r\nB\r\nX\r\nc\r\n'],
    ['a line break first', 'a\r\nb\r\n', '\nb', '\nB', 'a\r\nB\r\n'],
    ['a line break last', 'a\r\nb\r\n', 'a\n', 'A\n', 'A\r\nb\r\n'],
    ['CR', 'a\rb\rc', 'b\nc', 'B\nX\nC', 'a\rB\rX\rC'],
    ['mixed line breaks', 'a\r\nb\nc\rd', 'a\nb\nc\nd', 'a\nB\nc\nD', 'a\r\nB\nc\rD'],
    ['a last line without an end', 'a\nb', 'b\n', 'B\n', 'a\nB'],
    ['lines that go', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
    ['words that look like patterns', 'a $& b', '$&', "$1 $' $$", "a $1 $' $$ b"],
    ['text in the middle of a line', 'let a = 1; let b = 2;', 'a = 1', 'a = 3', 'let a = 3; let b = 2;'],
  ])('edit works with %s', (_, text, oldText, newText, after) => {
    expect(editText(text, oldText, newText)).toBe(after);
  });

  it.each([
    [
      'less',
      '    if (a) {\n        b();\n    }\n',
      'if (a) {\n    b();\n}',
      'if (a) {\n    c();\n}',
      '    if (a) {\n        c();\n    }\n',
    ],
    [
      'more',
      'if (a)\n  b();\n',
      '  if (a)\n    b();\n',
      '  if (a)\n    b();\n  else\n    c();\n',
      'if (a)\n  b();\nelse\n  c();\n',
    ],
    [
      'spaces for tabs',
      '\tif (a) {\n\t\tb();\n\t}\n',
      '    if (a) {\n        b();\n    }',
      '    if (a) {\n        b();\n        c();\n    }',
      '\tif (a) {\n\t\tb();\n\t\tc();\n\t}\n',
    ],
    [
      'two spaces for a tab',
      'x\n\ta();\n\t\tb();\n',
      '  a();\n    b();',
      '  a();\n    c();\n      d();',
      'x\n\ta();\n\t\tc();\n\t\t\td();\n',
    ],
    [
      'two spaces for four',
      'def a():\n    if b:\n        return 1\n',
      'def a():\n  if b:\n    return 1\n',
      'def a():\n  if b:\n    return 2\n  return 3\n',
      'def a():\n    if b:\n        return 2\n    return 3\n',
    ],
    ['tabs for spaces', 'a:\n  b:\n    c\n', '\tb:\n\t\tc', '\tb:\n\t\td', 'a:\n  b:\n    d\n'],
  ])('edit takes the indentation of the file where the model wrote %s', (_, text, oldText, newText, after) => {
    expect(editText(text, oldText, newText)).toBe(after);
  });

  it('edit does not take lines whose indentation differs in many ways', () => {
    expect(editText('a\n  b\n c\n', ' a\n b\n c', 'x')).toMatch(/^not found/);
    expect(editText('\ta();\n  b();\n', 'a();\nb();', 'x')).toMatch(/^not found/);
  });

  it('edit keeps white space and broken characters of lines that it does not change', () => {
    const bytes = Buffer.concat([Buffer.from('a  \nb'), Buffer.of(0xe9), Buffer.from('\nc\t\n')]);
    const after = edited(bytes, 'a\nb\uFFFD\nc', 'A\nb\uFFFD\nc\nd');
    expect(after).toEqual(Buffer.concat([Buffer.from('A\nb'), Buffer.of(0xe9), Buffer.from('\nc\t\nd\n')]));
  });

  it('edit says where the text is when it is there more than once', () => {
    expect(editText('a\nb\na\n', 'a', 'x')).toMatch(/^2 places: .*at lines 1, 3\..*replace_all/s);
    expect(editText('a\nb\na\n', 'a', 'x', true)).toBe('x\nb\nx\n');
    expect(editText('a\r\nb\na\nb', 'a\nb', 'x', true)).toBe('x\nx');
  });

  it('edit shows what is most like a text that is not there', () => {
    const text = 'one\nconst total = count + 1;\ntwo\nfunction a() {\n  return 3;\n}\n';
    expect(editText(text, 'const total = counts + 1;', 'x')).toContain('\n2: const total = count + 1;\n');
    expect(editText(text, 'function a() {\n  return 4;\n}', 'x')).toContain(
      '\n4: function a() {\n5:   return 3;\n6: }\n',
    );
    expect(editText(text, 'nothing of it', 'x')).toContain('Nothing like it is there');
    expect(editText(text, 'return 2;', 'return 3;')).toContain('may have been made before');
    expect(editText(text, 'nothing of it', 'count')).not.toContain('may have been made before');
    expect(editText(text, 'nothing of it', '}')).not.toContain('may have been made before');
  });

  it('edit of a large file is found without a long search', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => `  line ${index};\r\n`).join('');
    expect(editText(text, 'line 15000;\nline 15001;', 'line x;').length).toBe(text.length - 19);
    expect(editText(text, 'line 15000; and more', 'x')).toContain('15001:   line 15000;');
  });

  it('edit says that in a huge file it looks only for what is there to the letter', () => {
    const text = 'x\ty\n'.repeat(600_000);
    expect(editText(`${text}one\r\ntwo\r\n`, 'one\ntwo', '1').length).toBe(text.length + 3);
    expect(editText(`${text}  one\n  two\n`, 'one\ntwo', '1')).toMatch(/^not found: .*to the letter.*search_text/s);
  });

  it('edit of every place in a large file goes through it once', () => {
    const line = `${'word '.repeat(40)}\r\n`;
    const text = line.repeat(200) + 'x'.repeat(9_000_000);
    const after = editText(text, 'word', 'a\nb', true);
    expect(after.length).toBe(text.length);
    expect(after.startsWith('a\r\nb a\r\nb ')).toBe(true);
  });

  it('edit of more places than one edit replaces is refused, however many they are', () => {
    expect(editText('a'.repeat(10_000), 'a', 'b', true)).toBe('b'.repeat(10_000));
    expect(editText('a'.repeat(9_000_000), 'a', 'b', true)).toMatch(/^10000\+ places: .*Nothing was changed/);
    expect(editText('a'.repeat(9_000_000), 'a', 'b')).toMatch(/^10000\+ places: .*Nothing was changed/);
    expect(editText('  a b \n'.repeat(20_000), 'a b\n', 'b', true)).toMatch(/^10000\+ places: /);
  });
});
