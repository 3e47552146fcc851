import { isUtf8 } from 'node:buffer';

/** How a text stands in a file. */
export interface TextForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Whether a byte order mark stands before it. UTF-16 is known by its mark only. */
  readonly bom: boolean;
  /** What stands behind the last character and is half of one: a file of UTF-16 with an odd number of bytes. */
  readonly rest: Uint8Array;
}

/**
 * A text and how it stands in its file. Bytes that are no UTF-8 are single halves of surrogate pairs in it, U+DC00 and
 * the byte's value, so that encoding gives back every byte. It is not for showing: see {@link shownText}.
 */
export interface DecodedText {
  readonly text: string;
  readonly form: TextForm;
}

/** How a new file is written. */
export const UTF8: TextForm = { encoding: 'utf-8', bom: false, rest: new Uint8Array() };

/** The first of the characters that stand for a byte that is no UTF-8. */
const BYTE_BASE = 0xdc00;
/** Matches such characters: with the flag `u`, only halves that stand alone. */
const STRAY_BYTES = /[\uDC80-\uDCFF]/gu;

/** The text of a file; undefined: it is binary, which a NUL tells. Any bytes come back from {@link encodeText}. */
export function decodeBytes(bytes: Uint8Array): DecodedText | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoded = startsWith(buffer, 0xff, 0xfe)
    ? decodeUtf16(buffer, 'utf-16le')
    : startsWith(buffer, 0xfe, 0xff)
      ? decodeUtf16(buffer, 'utf-16be')
      : decodeUtf8(buffer);
  return decoded.text.includes('\0') ? undefined : decoded;
}

/** The bytes of a text in that form. */
export function encodeText(text: string, form: TextForm): Buffer {
  const mark = form.bom ? '\uFEFF' : '';
  if (form.encoding === 'utf-8') return Buffer.concat([Buffer.from(mark), encodeUtf8(text), form.rest]);
  const encoded = Buffer.from(mark + text, 'utf16le');
  return Buffer.concat([form.encoding === 'utf-16be' ? encoded.swap16() : encoded, form.rest]);
}

/** The text with U+FFFD in place of every byte that is no character. */
export function shownText(text: string): string {
  return text.toWellFormed();
}

/**
 * Whether bytes above ASCII in a text of this form are those of another encoding, such as Latin-1: there are some, and
 * none of them is UTF-8. What is written into such a file in UTF-8 would be garbled there.
 */
export function isForeign({ text, form }: DecodedText): boolean {
  if (form.encoding !== 'utf-8' || text.isWellFormed()) return false;
  return !/[^\0-\x7f]/u.test(text.replace(STRAY_BYTES, ''));
}

function decodeUtf16(buffer: Buffer, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const end = buffer.length - (buffer.length % 2);
  const units = Buffer.from(buffer.subarray(2, end));
  const text = (encoding === 'utf-16be' ? units.swap16() : units).toString('utf16le');
  return { text, form: { encoding, bom: true, rest: buffer.subarray(end) } };
}

function decodeUtf8(buffer: Buffer): DecodedText {
  const bom = startsWith(buffer, 0xef, 0xbb, 0xbf);
  const body = bom ? buffer.subarray(3) : buffer;
  return { text: isUtf8(body) ? body.toString('utf8') : decodeStray(body), form: { ...UTF8, bom } };
}

function decodeStray(bytes: Buffer): string {
  const pieces: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      pieces.push(bytes.toString('utf8', start, at), String.fromCharCode(BYTE_BASE + (bytes[at] ?? 0)));
      start = at + 1;
    }
    at += Math.max(length, 1);
  }
  pieces.push(bytes.toString('utf8', start));
  return pieces.join('');
}

/** How many bytes the character of UTF-8 takes that begins there; 0: none begins there. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function encodeUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const pieces: Buffer[] = [];
  let start = 0;
  for (const match of text.matchAll(STRAY_BYTES)) {
    pieces.push(Buffer.from(text.slice(start, match.index)), Buffer.of(match[0].charCodeAt(0) - BYTE_BASE));
    start = match.index + 1;
  }
  pieces.push(Buffer.from(text.slice(start)));
  return Buffer.concat(pieces);
}

function startsWith(bytes: Buffer, ...wanted: readonly number[]): boolean {
  return wanted.every((byte, index) => bytes[index] === byte);
}
