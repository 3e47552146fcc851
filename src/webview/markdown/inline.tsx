import type { Token } from 'marked';
import type { ComponentChild, VNode } from 'preact';
import { NESTING } from '../limits';
import { decodeEntities } from './entities';
import { Link } from './link';

/** Inline tokens as nodes. What is not known, raw HTML above all, is shown as the text it is. */
export function Inline({ tokens, depth }: { tokens: readonly Token[] | undefined; depth: number }): VNode {
  return <>{inline(tokens, depth)}</>;
}

function inline(tokens: readonly Token[] | undefined, depth: number): ComponentChild[] {
  if (tokens === undefined) return [];
  if (depth > NESTING) return tokens.map((token) => token.raw);
  return tokens.map((token) => inlineNode(token, depth + 1));
}

function inlineNode(token: Token, depth: number): ComponentChild {
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? decodeEntities(textOf(token)) : inline(token.tokens, depth);
    case 'escape':
      return textOf(token);
    case 'strong':
      return <strong>{inline(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, depth)}</em>;
    case 'del':
      return <del>{inline(token.tokens, depth)}</del>;
    case 'codespan':
      return <code dir="ltr">{textOf(token)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={addressOf(token)}>{inline(token.tokens, depth)}</Link>;
    case 'image':
      // Fetching it would tell a stranger what was read: an image is a link to itself.
      return <Link href={addressOf(token)}>{decodeEntities(textOf(token)) || addressOf(token)}</Link>;
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw.trim()) ? <br /> : token.raw;
    default:
      return token.raw;
  }
}

function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

function addressOf(token: Token): string {
  if (!('href' in token) || typeof token.href !== 'string') return '';
  // An address that stands in the text by itself is taken as it is written.
  return 'autolink' in token && token.autolink === true ? token.href : decodeEntities(token.href);
}
