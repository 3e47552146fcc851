import { TITLE_CHARS } from '../base/limits';
import { cutAt } from '../base/text';

/** A title from the first words of a conversation: its first line, one line long. Never empty. */
export function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1).join('').replaceAll(/\s+/g, ' ').trim();
  if (line === '') return 'Conversation';
  if (line.length <= TITLE_CHARS) return line;
  const cut = cutAt(line, TITLE_CHARS - 1);
  const space = cut.lastIndexOf(' ');
  return `${space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut}…`;
}
