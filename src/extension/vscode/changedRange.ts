/** The smallest range of a text in whose place another text has to be put. `start`, `end`: UTF-16 offsets. */
export interface ChangedRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What has to be replaced to make `after` of `before`. Neither a pair of surrogates nor a `\r\n` is split. */
export function changedRange(before: string, after: string): ChangedRange {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  while (start > 0 && (splits(before, start) || splits(after, start))) start -= 1;
  let same = 0;
  while (
    same < shorter - start &&
    before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)
  )
    same += 1;
  while (same > 0 && (splits(before, before.length - same) || splits(after, after.length - same))) same -= 1;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Texts as the editor compares them: it keeps one kind of line end for a whole document. */
export function withLineEnds(text: string, end: '\n' | '\r\n'): string {
  return text.replaceAll(/\r\n|\r|\n/g, end);
}

function splits(text: string, at: number): boolean {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isPair = left >= 0xd8_00 && left < 0xdc_00 && right >= 0xdc_00 && right < 0xe0_00;
  return isPair || (left === 0x0d && right === 0x0a);
}
