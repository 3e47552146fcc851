/** Marks between which the model reads words of others. Rare names, so that almost no text holds one by chance. */
export type FrameName =
  | 'background'
  | 'agents_md'
  | 'memory_md'
  | 'skill_list'
  | 'skill_md'
  | 'earlier_summary'
  | 'conversation'
  | 'foreign_result';

const NAMES: Readonly<Record<FrameName, true>> = {
  background: true,
  agents_md: true,
  memory_md: true,
  skill_list: true,
  skill_md: true,
  earlier_summary: true,
  conversation: true,
  foreign_result: true,
};

/** A `<` that somebody could take for the start of one of our marks, however it is spaced or spelt. */
const LOOKS_LIKE_MARK = new RegExp(
  `<(?=[^\\p{L}\\p{N}<>]{0,16}(?:${Object.keys(NAMES).join('|')})(?![\\p{L}\\p{N}_]))`,
  'giu',
);

/** The text, well-formed, in which nothing can be taken for a mark of ours. Lines stay as they are. */
export function neutralised(text: string): string {
  return text.toWellFormed().replace(LOOKS_LIKE_MARK, '&lt;');
}

/** Puts marks around a body that is neutralised already or holds frames itself. Attributes may be any text. */
export function enclosed(name: FrameName, attributes: Readonly<Record<string, string>>, body: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attributeText(value)}"`);
  return `<${name}${written.join('')}>\n${body}\n</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** One line without the characters that end an attribute. */
function attributeText(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '\uFFFD')
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
