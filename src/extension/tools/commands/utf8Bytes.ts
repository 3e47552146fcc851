/** Text of UTF-8 bytes. What is no UTF-8 shows as U+FFFD; control characters of the second set are left out. */
export function decoded(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString('utf8')
    .replaceAll(/[\u0080-\u009f]/g, '');
}

/** Where the first character begins from `from` on. */
export function characterStart(bytes: Uint8Array, from: number): number {
  let at = Math.max(0, from);
  while (at < bytes.length && at - from < 3 && isContinuation(bytes[at])) at += 1;
  return at;
}

/** Where the last character ends that is whole. */
export function characterEnd(bytes: Uint8Array): number {
  let at = bytes.length;
  while (at > 0 && bytes.length - at < 4) {
    at -= 1;
    const byte = bytes[at] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return at + length > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
