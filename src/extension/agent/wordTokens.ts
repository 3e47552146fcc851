/** A word of ASCII letters: all small, with a capital first, all capitals. */
export type WordShape = 'small' | 'capital' | 'capitals';
/** What stands right before a word and belongs to its piece: a space or one mark. */
export type WordLead = 'none' | 'space' | 'mark';

/** Longest word whose length has a figure of its own; a longer one counts by its letters alone from there. */
const LENGTHS = 16;
/** A piece never takes more than this for each of its characters: letters without sense take about that. */
const MOST_PER_LETTER = 0.62;
const LETTERS = 26;
const STEP = 0.02;

/** The characters stand for steps of 0.02 tokens: the one in the middle for none, each further one for a step more. */
const STEPS = '!#$%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~';
/**
 * What a pair of neighbours adds to the tokens of a word: common pairs are of common words, which vocabularies hold whole.
 * A row for each first letter and a column for each second one; the first row is the beginning of the word, the first
 * column its end. Fitted by least squares to the words of a few hundred texts in many languages, natural and programming
 * ones, each counted as often as it comes, with the vocabularies of Llama 3 and gpt-oss.
 */
const PAIRS = [
  'Phhdhjgjbjfihkikiphgjhhiojm',
  'mmVTWtYOmTecSZTwXmRYS]]Z[Zg',
  'gbldhZsqtaYmVynTpw_blUrss^l',
  'k[iZuTnnWTzUWptXflRkV_dax]~',
  'eYkjYW~]~WTj_lqUpV_^fZclYZk',
  'dVhST[SYgftjX[UdWQSTXkXXS_j',
  'jYqklcYasSvkeGXYZ^]fa^a~hfk',
  'hmt~p[q[L[k]ZYXZrm]e[[aw_i^',
  'lauzq^i|k^bymdWWvf_gRaSghhZ',
  'oZVTY[SUhW^gYaSJLjWWVrXef~Q',
  'oUvhdLpuy~c[lazhhgc^]j~n^ml',
  'cahdUYjY}_xQmvXzl[~bqyqXa~t',
  'fZQg[XTcmZ~o^i^TSViaaZU[~Tp',
  'eVRn_PkUyY~rR[[UR[}]p[~rolg',
  'h[~VYXXUi^lbbc]ZjozWVZKqkfo',
  'nX[YYjS^jVgb_ZTXVYTdWW_WcRe',
  'lWhnsWqj^agrSWuNV_Sb^VhodbQ',
  'otwhixXqbofiSshfeUNeVT]~Ymb',
  'gZk]YYOVjXs]f[US_qZ_aabbt]q',
  'fbu^bW^bXZi[lmjUaiYXW[aTn[{',
  'eWgTZXXuQRynj^fRX^UY]TqUYRm',
  'm]OUQTT^mUo~LVVdOvSZTyb|b~}',
  'oWfhaTsQ[ZSgmn{_me|yjcm%nvd',
  'fYowqXrjQT]~gsTRhv[]ucbXFwc',
  'eXbZmbhtN^Sgyalq]hntYydd^Vs',
  'a~dxxeow]UxohbST]sZTUtvSmhG',
  'mOvok_YqkmVxs}xaum[|a]^l^Ze',
].join('');

/** From the same fit: what is added for the length of the word, by what leads it and by its capitals. */
const WORD_BASE: Readonly<Record<WordLead, Readonly<Record<WordShape, readonly number[]>>>> = {
  none: {
    small: [0.11, -0.13, -0.19, -0.26, -0.33, -0.41, -0.43, -0.28, -0.38, -0.34, -0.44, -0.08, 0.49, 1.34, 0.28, 0.28],
    capital: [0, -0.01, -0.1, -0.22, -0.29, -0.38, -0.47, -0.42, -0.45, -0.51, -0.55, -0.31, -0.02, -0.2, 0.62, 0.3],
    capitals: [0.1, -0.12, -0.11, 0.11, 0.0, -0.11, 0.06, 0.54, 0.54, 0.69, 0.57, 0.57, 0.57, 0.57, 0.57, 0.57],
  },
  space: {
    small: [
      0.06, -0.03, -0.14, -0.28, -0.39, -0.48, -0.59, -0.64, -0.7, -0.72, -0.73, -0.66, -0.74, -0.58, -0.42, -0.07,
    ],
    capital: [0, -0.06, -0.17, -0.27, -0.25, -0.38, -0.44, -0.39, -0.36, -0.26, -0.36, 0.05, -0.16, 0.08, 0.06, -0.0],
    capitals: [0.07, -0.09, -0.12, -0.04, -0.12, -0.09, -0.03, 0.32, 0.33, 0.04, 0.49, 1.12, 1.12, 1.12, 1.12, 1.12],
  },
  mark: {
    small: [0.19, 0.04, 0.0, -0.12, -0.16, -0.21, -0.13, -0.07, -0.17, 0.04, 0.06, 0.64, 0.35, 0.52, 0.82, 0.82],
    capital: [0, 0.24, 0.15, -0.07, 0.22, 0.21, 0.23, 0.36, 0.31, 0.21, -0.06, 0.66, 0.43, 0.47, 0.35, 0.38],
    capitals: [0.4, 0.22, 0.04, 0.11, 0.02, 0.03, 0.28, 0.03, 0.64, 0.33, 0.71, 1.03, 1.03, 1.03, 1.03, 1.03],
  },
};

const PAIR_TOKENS = Float64Array.from(PAIRS, (step) => (STEPS.indexOf(step) - STEPS.length / 2) * STEP);

/** Tokens of the word of ASCII letters from `start` up to `end`, with what leads it. */
export function wordTokens(text: string, start: number, end: number, lead: WordLead, shape: WordShape): number {
  const length = end - start;
  let tokens = WORD_BASE[lead][shape][Math.min(length, LENGTHS) - 1] ?? 0;
  let before = 0;
  for (let at = start; at < end; at += 1) {
    // Capitals and small letters differ in one bit; `a` is 1.
    const letter = (text.charCodeAt(at) | 0x20) - 0x60;
    tokens += PAIR_TOKENS[before * (LETTERS + 1) + letter] ?? 0;
    before = letter;
  }
  tokens += PAIR_TOKENS[before * (LETTERS + 1)] ?? 0;
  return Math.min(Math.max(tokens, 1), 1 + length * MOST_PER_LETTER);
}
