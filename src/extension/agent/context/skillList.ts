import { neutralised } from '../../base/frame';
import { SKILL_DESCRIPTION_CHARS } from '../../base/limits';
import { cutAt } from '../../base/text';
import { fairShares } from './share';
import type { Skill } from './skills';

/** UTF-8 bytes of a line beside name and description, and of the words on skills that are left out. */
const LINE_BYTES = Buffer.byteLength('- : …\n');
const MORE_BYTES = 48;

/** One line for each skill, in at most `bytes` UTF-8 bytes: descriptions are cut first, then skills are left out. */
export function listedSkills(skills: readonly Skill[], bytes: number): string {
  const lines = skills.map(({ name, description }) => {
    const short = cutAt(description, SKILL_DESCRIPTION_CHARS);
    return { name, description: neutralised(short === description ? short : `${short}…`) };
  });
  const whole = lines.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
  if (Buffer.byteLength(whole) <= bytes) return whole;
  const room = bytes - MORE_BYTES;
  let used = 0;
  const listed = lines.filter(({ name }) => (used += Buffer.byteLength(name) + LINE_BYTES) <= room);
  const left = room - listed.reduce((sum, { name }) => sum + Buffer.byteLength(name) + LINE_BYTES, 0);
  const shares = fairShares(
    listed.map(({ description }) => Buffer.byteLength(description)),
    left,
  );
  const written = listed.map(({ name, description }, index) => `- ${name}: ${cutBytes(description, shares[index])}`);
  const more = lines.length - listed.length;
  return [...written, ...(more === 0 ? [] : [`[… ${more} more skills left out …]`])].join('\n');
}

function cutBytes(text: string, bytes = 0): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  // Half a character at the end becomes U+FFFD.
  return `${whole
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}
