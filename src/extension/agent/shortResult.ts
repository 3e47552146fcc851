import { cutAt } from '../base/text';
import { estimateTokens } from './tokens';

/** Share of a shortened result that is its beginning; the rest is its end. */
const HEAD_SHARE = 0.7;
/** Room (tokens) for the words that say what was left out. */
const WORDS_TOKENS = 40;

/** The result of a tool in at most about `tokens` tokens: its beginning and its end, and what is missing between. */
export function shortResult(content: string, tokens: number): string {
  return shortened(content, tokens, ' Ask for a smaller part to see them.');
}

/** The same for any text. `advice`: what can be done about what is missing. */
export function shortened(content: string, tokens: number, advice = ''): string {
  // A character takes three tokens at most: short results need not be counted.
  if (content.length * 3 <= tokens) return content;
  const all = estimateTokens(content);
  if (all <= tokens) return content;
  let kept = Math.floor((content.length * Math.max(0, tokens - WORDS_TOKENS)) / all);
  // What is kept may be denser than the rest.
  for (;;) {
    const short = headAndTail(content, kept, advice);
    if (kept === 0 || estimateTokens(short) <= tokens) return short;
    kept = Math.floor(kept * 0.8);
  }
}

function headAndTail(content: string, kept: number, advice: string): string {
  const head = cutAt(content, Math.floor(kept * HEAD_SHARE));
  const tail = content.slice(content.length - (kept - head.length)).replace(/^[\udc00-\udfff]/, '');
  const left = content.length - head.length - tail.length;
  return `${head}\n[… ${left} characters left out here.${advice}]\n${tail}`;
}
