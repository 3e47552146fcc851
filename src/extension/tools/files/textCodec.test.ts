import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBytes, encodeText, isForeign, shownText, type TextForm } from './textCodec';

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function encodingOf(bytes: Uint8Array): TextForm['encoding'] | undefined {
  return decodeBytes(bytes)?.form.encoding;
}

describe('the text of a file', () => {
  it('gives back every byte of any file that is text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom('', 'efbbbf', 'fffe', 'feff'), (body, mark) => {
        const bytes = Buffer.concat([Buffer.from(mark, 'hex'), body]);
        const decoded = decodeBytes(bytes);
        if (decoded !== undefined) expect(encodeText(decoded.text, decoded.form).equals(bytes)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('gives back text whose characters are cut, doubled or broken', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '61',
        'c3a9',
        'c3',
        'a9',
        'e282ac',
        'e282',
        'eda080',
        'f09f918b',
        'f09f',
        '918b',
        'ff',
        '0a',
        'c080',
      ),
    );
    fc.assert(
      fc.property(pieces, (hex) => {
        const bytes = Buffer.from(hex.join(''), 'hex');
        const decoded = decodeBytes(bytes);
        expect(decoded && encodeText(decoded.text, decoded.form).equals(bytes)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it('knows UTF-8, UTF-16 and their marks, and does not show the mark', () => {
    expect(decodeBytes(Buffer.from('żółć 👋'))).toMatchObject({ text: 'żółć 👋', form: { bom: false } });
    expect(decodeBytes(Buffer.concat([MARK, Buffer.from('a')]))).toMatchObject({ text: 'a', form: { bom: true } });
    const little = Buffer.from('\uFEFFżółć 👋', 'utf16le');
    expect(decodeBytes(little)).toMatchObject({ text: 'żółć 👋', form: { encoding: 'utf-16le' } });
    expect(decodeBytes(Buffer.from(little).swap16())).toMatchObject({
      text: 'żółć 👋',
      form: { encoding: 'utf-16be' },
    });
    expect(decodeBytes(new Uint8Array())).toMatchObject({ text: '', form: { encoding: 'utf-8', bom: false } });
  });

  it('takes what holds a NUL for binary, in UTF-16, too', () => {
    expect(encodingOf(Buffer.from([0x61, 0]))).toBeUndefined();
    expect(encodingOf(Buffer.from('\uFEFFa\0', 'utf16le'))).toBeUndefined();
    expect(encodingOf(Buffer.from('fffe000061000000', 'hex'))).toBeUndefined();
  });

  it('shows what is no character as U+FFFD', () => {
    expect(shownText(decodeBytes(Buffer.from('caf\xe9', 'latin1'))?.text ?? '')).toBe('caf\uFFFD');
  });

  it.each([
    ['Latin-1', Buffer.from('caf\xe9', 'latin1'), true],
    ['UTF-8 with one bad byte', Buffer.concat([Buffer.from('é'), Buffer.of(0xe9)]), false],
    ['UTF-8', Buffer.from('é'), false],
    ['ASCII', Buffer.from('e'), false],
  ])('tells whether %s is another encoding', (_, bytes, foreign) => {
    const decoded = decodeBytes(bytes);
    expect(decoded && isForeign(decoded)).toBe(foreign);
  });
});
