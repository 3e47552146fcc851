/** The names in a zip file, so that a package can be checked without a program that unpacks it. */
import { readFile } from 'node:fs/promises';

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;

/**
 * @param {string} file
 * @returns {Promise<readonly string[]>}
 */
export async function zipListing(file) {
  const zip = await readFile(file);
  const end = zip.lastIndexOf(Buffer.from(Uint32Array.of(END_OF_DIRECTORY).buffer));
  if (end < 0) throw new Error(`${file} is no zip file.`);
  const names = [];
  let at = zip.readUInt32LE(end + 16);
  while (zip.readUInt32LE(at) === DIRECTORY_ENTRY) {
    const length = (/** @type {number} */ field) => zip.readUInt16LE(at + field);
    const nameLength = length(28);
    names.push(zip.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + length(30) + length(32);
  }
  return names;
}
