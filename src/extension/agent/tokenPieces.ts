import { BLANKS, HAN, KANA, MARKS, OTHER_WORDS, SAME_MARKS, SPACED_MARKS, tokensOfLength } from './tokenTables';
import { wordTokens, type WordLead, type WordShape } from './wordTokens';

/**
 * Kinds of text that vocabularies treat differently: two models that agree on English differ by a third on Chinese, and
 * by two thirds on numbers. `frame` is what a template puts around messages and tools.
 */
export const TOKEN_CLASSES = ['words', 'marks', 'digits', 'cjk', 'other', 'frame'] as const;
export type TokenClass = (typeof TOKEN_CLASSES)[number];
/** Estimated tokens of each class. */
export type TokenSplit = Readonly<Record<TokenClass, number>>;

export const NO_TOKENS: TokenSplit = { words: 0, marks: 0, digits: 0, cjk: 0, other: 0, frame: 0 };

type CharKind =
  'small' | 'capital' | 'digit' | 'space' | 'blank' | 'break' | 'mark' | 'high' | 'low' | 'han' | 'kana' | OtherScript;
type OtherScript = keyof typeof OTHER_WORDS;

/** Digits that make one token; Qwen and Gemma take one for each. */
const DIGITS_PER_TOKEN = 3;
/** Tokens of a character beyond the first plane: emoji mostly. */
const PAIR_TOKENS = 2.2;
/** Tokens of a mark that is not of ASCII, such as an arrow or a frame. */
const WIDE_MARK_TOKENS = 1.1;

/** Pieces that a vocabulary joins and pieces that it cuts otherwise: whole texts against the sums of their pieces. */
const WHOLE_TEXT = { words: 0.965, marks: 0.97, digits: 1.09, cjk: 0.955 };

/**
 * Splits a text the way that most tokenizers do before they look words up, and estimates the tokens of each piece.
 * One pass, no allocation per character; takes any text, also such that is no well-formed Unicode.
 */
export function splitTokens(text: string): TokenSplit {
  return new Splitter(text).split();
}

class Splitter {
  readonly #text: string;
  #at = 0;
  #words = 0;
  #marks = 0;
  #digits = 0;
  #cjk = 0;
  #other = 0;

  constructor(text: string) {
    this.#text = text;
  }

  split(): TokenSplit {
    while (this.#at < this.#text.length) this.#piece();
    return {
      words: this.#words * WHOLE_TEXT.words,
      marks: this.#marks * WHOLE_TEXT.marks,
      digits: this.#digits * WHOLE_TEXT.digits,
      cjk: this.#cjk * WHOLE_TEXT.cjk,
      other: this.#other,
      frame: 0,
    };
  }

  #kind(at: number): CharKind | undefined {
    return at < this.#text.length ? kindOf(this.#text.charCodeAt(at)) : undefined;
  }

  #piece(): void {
    const kind = this.#kind(this.#at);
    switch (kind) {
      case undefined:
        return;
      case 'digit':
        this.#digits += Math.ceil(this.#run((next) => next === 'digit') / DIGITS_PER_TOKEN);
        return;
      case 'space':
      case 'blank':
      case 'break':
        this.#blank();
        return;
      case 'mark':
        if (this.#text.charCodeAt(this.#at) < 0x80 && isLetter(this.#kind(this.#at + 1))) {
          this.#at += 1;
          this.#word('mark');
        } else this.#markRun(false);
        return;
      case 'high':
      case 'low':
        this.#other += PAIR_TOKENS;
        this.#at += kind === 'high' && this.#kind(this.#at + 1) === 'low' ? 2 : 1;
        return;
      case 'small':
      case 'capital':
      case 'han':
      case 'kana':
      case 'latin':
      case 'cyrillic':
      case 'hangul':
      case 'other':
        this.#word('none');
    }
  }

  /** Spaces, of which the last one belongs to what follows; line breaks end a piece. */
  #blank(): void {
    const start = this.#at;
    let lastBreak = -1;
    let end = start;
    for (let kind = this.#kind(end); isBlank(kind); kind = this.#kind(end)) {
      if (kind === 'break') lastBreak = end;
      end += 1;
    }
    let rest = start;
    if (lastBreak >= 0) {
      rest = lastBreak + 1;
      this.#marks += tokensOfLength(BLANKS, rest - start);
    }
    const next = this.#kind(end);
    const leads = end > rest && next !== undefined && this.#kind(end - 1) === 'space';
    const spaces = end - rest - (leads ? 1 : 0);
    this.#marks += tokensOfLength(BLANKS, spaces);
    this.#at = end;
    if (!leads) return;
    if (isLetter(next)) this.#word('space');
    else if (next === 'mark') this.#markRun(true);
    else this.#marks += 1;
  }

  #markRun(afterSpace: boolean): void {
    const start = this.#at;
    const first = this.#text.charCodeAt(start);
    let same = true;
    let wide = 0;
    let end = start;
    while (this.#kind(end) === 'mark') {
      const code = this.#text.charCodeAt(end);
      if (code !== first) same = false;
      if (code >= 0x80) wide += 1;
      end += 1;
    }
    const narrow = end - start - wide;
    const table = same && narrow > 1 ? SAME_MARKS : afterSpace ? SPACED_MARKS : MARKS;
    this.#marks += tokensOfLength(table, narrow) + wide * WIDE_MARK_TOKENS;
    // Line breaks right after marks are of their piece.
    while (this.#kind(end) === 'break') end += 1;
    this.#at = end;
  }

  #word(lead: WordLead): void {
    const kind = this.#kind(this.#at);
    switch (kind) {
      case 'han':
        this.#marks += lead === 'none' ? 0 : 1;
        this.#cjk += tokensOfLength(
          HAN,
          this.#run((next) => next === 'han'),
        );
        return;
      case 'kana':
        this.#marks += lead === 'none' ? 0 : 1;
        this.#cjk += tokensOfLength(
          KANA,
          this.#run((next) => next === 'kana'),
        );
        return;
      case 'hangul':
        this.#cjk += this.#otherWord('hangul', lead);
        return;
      case 'small':
      case 'capital':
      case 'latin':
        this.#latinWord(lead);
        return;
      case 'cyrillic':
      case 'other':
        this.#other += this.#otherWord(kind, lead);
        return;
      case 'digit':
      case 'space':
      case 'blank':
      case 'break':
      case 'mark':
      case 'high':
      case 'low':
      case undefined:
    }
  }

  #otherWord(script: OtherScript, lead: WordLead): number {
    const length = this.#run((next) => next === script);
    const table = OTHER_WORDS[script][lead === 'space' ? 'space' : 'none'];
    return tokensOfLength(table, length) + (lead === 'mark' ? 0.8 : 0);
  }

  /** Ends before a capital that follows a small letter; a row of capitals takes the small letters after it along. */
  #latinWord(lead: WordLead): void {
    const start = this.#at;
    const capitals = this.#run((next) => next === 'capital');
    const small = this.#run((next) => next === 'small');
    if (this.#kind(this.#at) === 'latin') {
      this.#run((next) => next === 'latin' || next === 'small' || next === 'capital');
      const table = OTHER_WORDS.latin[lead === 'space' ? 'space' : 'none'];
      this.#other += tokensOfLength(table, this.#at - start) + (lead === 'mark' ? 0.8 : 0);
      return;
    }
    const shape: WordShape = capitals === 0 ? 'small' : small === 0 ? 'capitals' : 'capital';
    this.#words += wordTokens(this.#text, start, this.#at, lead, shape);
  }

  /** Goes on while it can, and answers by how much. */
  #run(belongs: (kind: CharKind | undefined) => boolean): number {
    const start = this.#at;
    while (this.#at < this.#text.length && belongs(this.#kind(this.#at))) this.#at += 1;
    return this.#at - start;
  }
}

function isBlank(kind: CharKind | undefined): boolean {
  return kind === 'space' || kind === 'blank' || kind === 'break';
}

const LETTERS: ReadonlySet<CharKind> = new Set([
  'small',
  'capital',
  'han',
  'kana',
  'latin',
  'cyrillic',
  'hangul',
  'other',
] as const);

function isLetter(kind: CharKind | undefined): boolean {
  return kind !== undefined && LETTERS.has(kind);
}

const ASCII: readonly CharKind[] = Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return 'small';
  if (/[A-Z]/.test(character)) return 'capital';
  if (/[0-9]/.test(character)) return 'digit';
  if (character === ' ') return 'space';
  if (/[\r\n]/.test(character)) return 'break';
  return /\s/.test(character) ? 'blank' : 'mark';
});

/** First code of each stretch of the first plane, with what it is, up to the next one. Ordered. */
const STRETCHES: readonly (readonly [from: number, kind: CharKind])[] = [
  [0x80, 'mark'],
  [0xaa, 'latin'],
  [0xab, 'mark'],
  [0xb5, 'latin'],
  [0xb6, 'mark'],
  [0xc0, 'latin'],
  [0xd7, 'mark'],
  [0xd8, 'latin'],
  [0xf7, 'mark'],
  [0xf8, 'latin'],
  [0x370, 'other'],
  [0x400, 'cyrillic'],
  [0x530, 'other'],
  [0x1100, 'hangul'],
  [0x1200, 'other'],
  [0x1e00, 'latin'],
  [0x1f00, 'other'],
  [0x2000, 'mark'],
  [0x2c00, 'other'],
  [0x2e00, 'mark'],
  [0x3040, 'kana'],
  [0x3100, 'han'],
  [0x3130, 'hangul'],
  [0x3190, 'mark'],
  [0x3400, 'han'],
  [0xa000, 'other'],
  [0xac00, 'hangul'],
  [0xd800, 'high'],
  [0xdc00, 'low'],
  [0xe000, 'mark'],
  [0xf900, 'han'],
  [0xfb00, 'other'],
  [0xfe00, 'mark'],
  [0xfe70, 'other'],
  [0xff00, 'mark'],
  [0xff21, 'latin'],
  [0xff5b, 'mark'],
  [0xff66, 'kana'],
  [0xffa0, 'hangul'],
  [0xffe0, 'mark'],
];

/** The kind of each character, by its code: a prompt has a hundred thousand of them. */
const KINDS = everyKind();

function everyKind(): readonly CharKind[] {
  const kinds = Array.from<CharKind>({ length: 0x10000 });
  for (const [index, [from, kind]] of STRETCHES.entries()) kinds.fill(kind, from, STRETCHES[index + 1]?.[0]);
  for (const [code, kind] of ASCII.entries()) kinds[code] = kind;
  return kinds;
}

function kindOf(code: number): CharKind {
  return KINDS[code] ?? 'mark';
}
