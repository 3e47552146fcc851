import { TOOL_RESULT_CHARS } from '../base/limits';
import { cutAt } from '../base/text';

/** Share of a cut text that is its beginning. */
const HEAD_SHARE = 0.6;

/** A result as the model gets it: well-formed, and cut in the middle to `TOOL_RESULT_CHARS`, which is said in it. */
export function cappedOutput(text: string): string {
  if (text.length <= TOOL_RESULT_CHARS) return text.toWellFormed();
  const head = cutAt(text, Math.floor(TOOL_RESULT_CHARS * HEAD_SHARE));
  const tail = textFrom(text, text.length - (TOOL_RESULT_CHARS - head.length));
  const omitted = text.length - head.length - tail.length;
  return `${head}\n[… ${omitted} characters omitted …]\n${tail}`.toWellFormed();
}

/** One line cut to `limit` UTF-16 units, with a word on what is missing. */
export function cutLine(line: string, limit: number): string {
  if (line.length <= limit) return line.toWellFormed();
  const head = cutAt(line, limit);
  return `${head} [… ${line.length - head.length} characters of this line omitted]`.toWellFormed();
}

/** `text` from UTF-16 offset `start` on, without the second half of a pair whose first half is left out. */
export function textFrom(text: string, start: number): string {
  const first = text.charCodeAt(start);
  return text.slice(first >= 0xdc00 && first <= 0xdfff ? start + 1 : start);
}

/** `1 line`, `2 lines`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The name of a file in a list. One with a line break or the like would look like several lines: it is quoted. */
export function printable(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}
