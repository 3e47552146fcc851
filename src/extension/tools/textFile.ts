/** The text of a file, or undefined when it is binary: it holds a NUL and is not UTF-16. Line ends become `\n`. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = utf16By(bytes);
  // Neither decoder throws: what is no text becomes U+FFFD. Both drop the byte order mark.
  if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes).replaceAll('\r\n', '\n');
  if (bytes.includes(0)) return undefined;
  return new TextDecoder('utf-8').decode(bytes).replaceAll('\r\n', '\n');
}

/** Lines without their ends. An end of line at the end of the text begins no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function utf16By(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}
