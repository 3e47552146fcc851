import { NO_TOKENS, TOKEN_CLASSES, type TokenClass, type TokenSplit } from './tokenPieces';

/** What the server counted, and the estimate of the same text by class. */
export interface Counted {
  readonly split: TokenSplit;
  readonly tokens: number;
}

/** How far vocabularies lie apart: standard deviation of true tokens to estimated ones. */
const SPREAD: TokenSplit = { words: 0.06, marks: 0.08, digits: 0.4, cjk: 0.3, other: 0.3, frame: 0.4 };
/** How well an estimate of one text can be corrected at all: some texts have rarer words than others. */
const TEXT_SPREAD = 0.03;
/** Variance for each token of a text: what a short text tells is mostly chance. */
const TOKEN_VARIANCE = 0.3;
const LEAST_RATIO = 0.4;
const MOST_RATIO = 3;

/**
 * True tokens to estimated ones, by class, as far as they can be told from what the server counted: least squares with
 * the beforehand knowledge that a ratio is about 1 (Bayes, one figure after the other). Without any figure all are 1.
 */
export function learntRatios(counted: readonly Counted[]): TokenSplit {
  const ratios = TOKEN_CLASSES.map(() => 1);
  const variances = TOKEN_CLASSES.map((name, row) =>
    TOKEN_CLASSES.map((_, column) => (row === column ? SPREAD[name] ** 2 : 0)),
  );
  for (const { split, tokens } of counted) {
    const texts = TOKEN_CLASSES.map((name) => split[name]);
    const spread = variances.map((row) => dot(row, texts));
    const noise = 1 + TOKEN_VARIANCE * tokens + (TEXT_SPREAD * tokens) ** 2;
    const whole = dot(spread, texts) + noise;
    const error = tokens - dot(ratios, texts);
    for (const [row, own] of spread.entries()) {
      ratios[row] = (ratios[row] ?? 1) + (own / whole) * error;
      for (const [column, other] of spread.entries()) {
        const line = variances[row];
        if (line !== undefined) line[column] = (line[column] ?? 0) - (own * other) / whole;
      }
    }
  }
  const learnt: Record<TokenClass, number> = { ...NO_TOKENS };
  for (const [place, name] of TOKEN_CLASSES.entries()) {
    learnt[name] = Math.min(MOST_RATIO, Math.max(LEAST_RATIO, ratios[place] ?? 1));
  }
  return learnt;
}

/** Estimated tokens, corrected. */
export function corrected(split: TokenSplit, ratios: TokenSplit): number {
  return TOKEN_CLASSES.reduce((sum, name) => sum + split[name] * ratios[name], 0);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
}
