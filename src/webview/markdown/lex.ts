import { Lexer, type MarkedToken, type Token } from 'marked';
import { INLINE_CHARS, LEX_CHARS, NESTING } from '../limits';

/** Markdown is cut into tokens and nothing more: no HTML string is ever made of what a model wrote. */

/** The lexer, with an end to what it spends on text that is made to be slow. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (source.length <= INLINE_CHARS) return super.inlineTokens(source, tokens);
    tokens.push({ type: 'text', raw: source, text: source, escaped: false });
    return tokens;
  }
}

/** Blocks of `text`, whole and in order. Never throws, and takes time that grows with the length only. */
export function lexBlocks(text: string): readonly MarkedToken[] {
  return pieces(text).flatMap((piece) => lexPiece(piece));
}

function lexPiece(text: string): readonly MarkedToken[] {
  if (isDeep(text)) return [plain(text)];
  try {
    return new BoundedLexer({ gfm: true }).lex(text) as MarkedToken[];
  } catch {
    // The lexer recurses into what is nested and may run out of stack: the words are shown as they are.
    return [plain(text)];
  }
}

function plain(text: string): MarkedToken {
  return { type: 'paragraph', raw: text, text, tokens: [{ type: 'text', raw: text, text, escaped: false }] };
}

const QUOTES = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)+/gm;

/** Nesting is lexed again for each level, so depth is bounded before, by the markers at the start of a line. */
function isDeep(text: string): boolean {
  for (const [markers] of text.matchAll(QUOTES)) {
    if (markers.replace(/\s/g, '').length > NESTING * 2) return true;
  }
  return false;
}

/** A long text in pieces that end at a blank line. Blocks of marks are not looked into: the cut may fall in one. */
function pieces(text: string): readonly string[] {
  if (text.length <= LEX_CHARS) return [text];
  const all: string[] = [];
  let start = 0;
  while (text.length - start > LEX_CHARS) {
    const blank = text.lastIndexOf('\n\n', start + LEX_CHARS);
    const end = blank > start ? blank + 2 : start + LEX_CHARS;
    all.push(text.slice(start, end));
    start = end;
  }
  all.push(text.slice(start));
  return all;
}
