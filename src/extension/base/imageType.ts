/** Media type of an image that models can see, by its first bytes, whatever its name says; undefined: it is none. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const starts = (at: number, ...wanted: readonly number[]): boolean =>
    wanted.every((byte, index) => bytes[at + index] === byte);
  const says = (at: number, word: string): boolean => bytes.toString('latin1', at, at + word.length) === word;
  if (starts(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) && says(12, 'IHDR')) return 'image/png';
  if (starts(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (says(0, 'RIFF') && says(8, 'WEBP')) return 'image/webp';
  return undefined;
}
