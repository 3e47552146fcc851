import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TerminalText } from './terminalText';

/** What is read off the terminal when the text arrives in these pieces. */
function shown(...pieces: readonly (string | Uint8Array)[]): string {
  const committed: Uint8Array[] = [];
  const text = new TerminalText((bytes) => committed.push(bytes));
  for (const piece of pieces) text.push(Buffer.from(piece));
  text.end();
  return Buffer.concat(committed).toString('utf8');
}

test.each([
  ['a progress bar shows its last state', '10 %\r50 %\r100 %\ndone\n', '100 %\ndone\n'],
  ['line ends of Windows are line ends', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['a return at the end of a line leaves the line', 'kept\r', 'kept'],
  ['a line that is erased after a return is gone', 'working\r\x1b[Kdone\n', 'done\n'],
  ['a line that is erased whole is gone', 'working\x1b[2K\x1b[Gdone\n', 'done\n'],
  ['a backspace takes the character before it, however long', 'aé\b\bb€\bc\n', 'bc\n'],
  ['colours are left out', '\x1b[1;31mred\x1b[0m \x1b[38;5;12mblue\x1b[m\n', 'red blue\n'],
  ['titles and links are left out', '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n', 'alink\n'],
  ['other sequences are left out', 'a\x1b(Bb\x1b7c\x1b=d\x1bPq#0\x1b\\e\n', 'abcde\n'],
  ['bells and NULs are left out, tabs stay', 'a\x07\0b\tc\n', 'ab\tc\n'],
  ['a title without an end ends with its line', 'a\x1b]0;title\nb\n', 'a\nb\n'],
  ['a broken sequence takes nothing with it', 'a\x1b[12\nb\x1b\nc\n', 'a\nb\nc\n'],
])('%s', (_, printed, expected) => {
  expect(shown(printed)).toBe(expected);
});

test('a sequence that never ends swallows no more than it may', () => {
  expect(shown(`\x1b]0;${'t'.repeat(10_000)}`).length).toBeGreaterThan(5_000);
  expect(shown(`\x1b[${'1'.repeat(1_000)}`).length).toBeGreaterThan(900);
});

test('a line longer than what is held back comes through whole', () => {
  const long = 'é'.repeat(100_000);
  expect(shown(long, 'x\n')).toBe(`${long}x\n`);
});

test('it does not matter in which pieces the bytes arrive', () => {
  const piece = fc.constantFrom(
    'a',
    'é',
    '€',
    '😀',
    '\n',
    '\r',
    '\b',
    '\t',
    '\x1b',
    '[',
    'K',
    '1',
    ']',
    '\x07',
    '\\',
    'P',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.array(fc.nat(80), { maxLength: 8 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''));
      const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(shown(...chunks)).toBe(shown(bytes));
    }),
  );
});

test('text without control characters stays as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[^\p{Cc}]*$/u), { maxLength: 20 }), (lines) => {
      const text = lines.join('\n');
      expect(shown(text)).toBe(text.toWellFormed());
    }),
  );
});
