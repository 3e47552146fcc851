/**
 * Tokens that a piece of text takes, by its length: the mean over source code, documentation and messages in many
 * languages, as the vocabularies of Llama 3, Qwen 3 and gpt-oss cut them. `tokens[0]` is for length 1; a longer piece
 * takes `perMore` for each further character.
 */
export interface LengthTable {
  readonly tokens: readonly number[];
  readonly perMore: number;
}

/** Words with letters beyond ASCII, by script; after a space, and otherwise. */
export const OTHER_WORDS = {
  latin: {
    space: { tokens: [1.06, 1.05, 1.1, 1.45, 1.65, 1.71, 2.13, 2.27, 2.37, 2.72, 2.75, 3.2, 3.3], perMore: 0.32 },
    none: { tokens: [1.6, 1.9, 1.9, 2.25, 2.3, 2.4, 3, 3.2, 3.2, 3.75, 4.2], perMore: 0.36 },
  },
  cyrillic: {
    space: { tokens: [1, 1.03, 1.08, 1.35, 1.55, 1.68, 2, 2.15, 2.37, 2.48, 2.82, 2.85, 3.2], perMore: 0.27 },
    none: { tokens: [1.05, 1.05, 1.55, 2, 2.5, 2.6, 3, 3.3, 3.5, 3.6, 4, 4.3], perMore: 0.35 },
  },
  hangul: {
    space: { tokens: [1.08, 1.52, 2.28, 2.48, 2.98, 3.26, 3.66], perMore: 0.6 },
    none: { tokens: [1.02, 1.77, 2.59, 3.57, 4.05, 4.36], perMore: 0.6 },
  },
  /** Greek, Arabic, Hebrew, Devanagari and all others. */
  other: {
    space: { tokens: [1.3, 1.35, 1.65, 2.2, 2.6, 3.4, 3.9, 4.6, 5, 5.5, 6], perMore: 0.5 },
    none: { tokens: [1.67, 2, 2.4, 2.8, 3.3, 3.8], perMore: 0.5 },
  },
} satisfies Readonly<Record<string, { readonly space: LengthTable; readonly none: LengthTable }>>;

/** A run of ideographs and a run of kana, which take tokens one for some characters, from the first on. */
export const HAN: LengthTable = { tokens: [1], perMore: 0.67 };
export const KANA: LengthTable = { tokens: [1], perMore: 0.6 };

/** Different marks in a row; with a space before them. The same mark again and again takes less. */
export const MARKS: LengthTable = { tokens: [1, 1.05, 1.13, 1.33, 2, 2.6, 3.1, 4.2, 5], perMore: 0.6 };
export const SPACED_MARKS: LengthTable = { tokens: [1, 1.03, 1.12, 1.41, 1.74, 2.7, 2.9, 4], perMore: 0.6 };
export const SAME_MARKS: LengthTable = { tokens: [1, 1, 1, 1, 1.1, 1.2, 1.2, 1], perMore: 0.03 };
/** Spaces or line breaks in a row. */
export const BLANKS: LengthTable = { tokens: [1], perMore: 0.012 };

/** Tokens of a piece of `length` by a table. Nothing takes nothing. */
export function tokensOfLength(table: LengthTable, length: number): number {
  if (length <= 0) return 0;
  const { tokens } = table;
  const known = tokens[length - 1];
  if (known !== undefined) return known;
  return (tokens.at(-1) ?? 1) + (length - tokens.length) * table.perMore;
}
