import { decodeBytes, shownText } from './files/textCodec';

/** The text of a file for showing, or undefined when it is binary. Line ends become `\n`. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const decoded = decodeBytes(bytes);
  return decoded && shownText(plainBreaks(decoded.text));
}

/** The text with `\n` for its ends of line. A lone `\r` is one only where there is no `\n`: in others it is a character. */
export function plainBreaks(text: string): string {
  if (!text.includes('\r')) return text;
  return text.includes('\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\r', '\n');
}

/** Lines without their ends. An end of line at the end of the text begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
