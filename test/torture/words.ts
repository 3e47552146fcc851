import type { Random } from './random';

/** What breaks programs that count characters: pairs, joined emoji, marks that combine, both directions, quotes. */
const WORDS = [
  'queue',
  'the',
  'worker',
  'handleSubmit',
  'größer',
  'naïve',
  '数据库',
  '漢字かな交じり文',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '🧪',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  'e\u0301\u0323',
  'שלום',
  '```ts\nconst a = "b\\n";\n```\n',
  "it's; DROP TABLE message; --",
  '{"json": [1, null]}',
  '\t',
  '\n\n',
  '\u2028',
];

/** Words up to about `length` UTF-16 units, well-formed. */
export function randomText(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${random.pick(WORDS)} `;
  return text;
}

/** The text in pieces cut anywhere, in the middle of a pair, too, as a server's records are. */
export function cutAnywhere(random: Random, text: string, longest: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = random.between(1, longest);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
