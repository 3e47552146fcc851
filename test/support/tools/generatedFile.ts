import fc from 'fast-check';

/** One line of a generated file. `shown`: as a model is shown it, unless the file's tools show something else. */
export interface GeneratedLine {
  readonly shown: string;
  readonly bytes: Buffer;
  readonly end: Buffer;
}

/** A text file of any kind that editors write, of which is known which bytes are whose. */
export interface GeneratedFile {
  readonly kind: string;
  readonly mark: Buffer;
  readonly lines: readonly GeneratedLine[];
  encode(text: string): Buffer;
}

/** An edit of whole lines `first` to `last`. `kept`: how many of them, from the first on, the new text has, too. */
export interface GeneratedEdit {
  readonly file: GeneratedFile;
  readonly first: number;
  readonly last: number;
  readonly kept: number;
  readonly added: readonly string[];
  /** Whether the old and new text end with a line break, where the file has one. */
  readonly closed: boolean;
}

const ENCODINGS = {
  'UTF-8': { mark: '', encode: (text: string) => Buffer.from(text) },
  'UTF-8 with BOM': { mark: 'efbbbf', encode: (text: string) => Buffer.from(text) },
  'UTF-16 LE': { mark: 'fffe', encode: (text: string) => Buffer.from(text, 'utf16le') },
  'UTF-16 BE': { mark: 'feff', encode: (text: string) => Buffer.from(text, 'utf16le').swap16() },
};

const encodingName = fc.constantFrom('UTF-8', 'UTF-8 with BOM', 'UTF-16 LE', 'UTF-16 BE');
const breaks = fc.constantFrom(['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r'], ['\n', '\r\n']);
const indent = fc.constantFrom('', '\t', '\t\t', '  ', '    ', ' \t');
const words = fc.constantFrom(
  '',
  'a',
  'return x;',
  '}',
  'żółć',
  '語👋🏽',
  '"q" \\',
  '$& $1',
  'a\tb',
  '\u2028',
  'if (a) {',
);
const trail = fc.constantFrom('', '', '', ' ', '\t', '  ');
/** Bytes that are no UTF-8, alone and beside each other. */
const stray = fc.constantFrom('', '', '', '', 'e9', 'c3', 'ff fe', '80', 'e2 82', 'ed a0 80');

interface RawLine {
  readonly text: string;
  readonly stray: Buffer;
  readonly pick: number;
}

const rawLine: fc.Arbitrary<RawLine> = fc
  .tuple(indent, words, trail, stray, fc.nat(9))
  .map(([before, text, after, hex, pick]) => ({
    text: before + text + after,
    stray: Buffer.from(hex.replaceAll(' ', ''), 'hex'),
    pick,
  }));

/** Files with all line breaks, marks, encodings, tabs and broken bytes. Every line has a number, so each is there once. */
const generatedFile: fc.Arbitrary<GeneratedFile> = fc
  .tuple(encodingName, breaks, fc.array(rawLine, { minLength: 1, maxLength: 8 }), fc.boolean())
  .map(([name, ends, raw, finalBreak]) => {
    const { mark, encode } = ENCODINGS[name];
    const lines = raw.map(({ text, stray: broken, pick }, index): GeneratedLine => {
      const numbered = text.replace(/\S|$/, (sign) => `L${index}.${sign}`);
      const isLast = index === raw.length - 1;
      const end = isLast && !finalBreak ? '' : (ends[pick % ends.length] ?? '\n');
      const hasStray = name.startsWith('UTF-8') && broken.length > 0;
      return {
        shown: hasStray ? `${numbered}${'\uFFFD'.repeat(broken.length)}.` : numbered,
        bytes: hasStray ? Buffer.concat([Buffer.from(numbered), broken, Buffer.from('.')]) : encode(numbered),
        end: encode(end),
      };
    });
    return { kind: `${name}, ${JSON.stringify(ends)}`, mark: Buffer.from(mark, 'hex'), lines, encode };
  });

/** Edits of such files that keep some of the lines that they name. */
export const generatedEdit: fc.Arbitrary<GeneratedEdit> = fc
  .tuple(
    generatedFile,
    fc.nat(7),
    fc.nat(3),
    fc.nat(3),
    fc.array(fc.tuple(indent, words, trail), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([file, from, more, keep, added, closed]) => {
    const first = from % file.lines.length;
    const last = Math.min(first + more, file.lines.length - 1);
    const count = last - first + 1;
    return {
      file,
      first,
      last,
      kept: keep % (count + 1),
      added: added.map((pieces, index) => `N${index}.${pieces.join('')}`),
      closed: closed && (file.lines[last]?.end.length ?? 0) > 0,
    };
  });

/** The bytes of the lines from `start` up to but without `end`, with their ends. */
export function bytesOf(file: GeneratedFile, start = 0, end = file.lines.length): Buffer {
  return Buffer.concat(file.lines.slice(start, end).flatMap((line) => [line.bytes, line.end]));
}

/** All bytes of a file. */
export function wholeFile(file: GeneratedFile): Buffer {
  return Buffer.concat([file.mark, bytesOf(file)]);
}
