import type { Grant } from '../../protocol/approval';
import { plain } from '../plain';

/** What is granted, in pieces. `mono`: as it is typed or stored. */
export interface GrantWords {
  readonly mono?: string;
  readonly words: string;
}

/** What a grant lets happen without asking. */
export function grantWords(grant: Grant): GrantWords {
  if (grant.kind === 'answer') return { words: 'Until this answer is done' };
  const { rule } = grant;
  switch (rule.kind) {
    case 'program':
      return rule.exact
        ? { words: 'This exact command' }
        : { mono: plain(rule.words.join(' ')), words: 'with any further arguments' };
    case 'files': {
      if (rule.pattern === '**') return { words: 'All files in this folder' };
      if (!rule.pattern.endsWith('/**')) return { words: 'This file' };
      // Signs that mean something in a pattern are written with a backslash before them.
      return { words: `Files in ${plain(rule.pattern.slice(0, -3).replaceAll(/\\(.)/g, '$1'))}` };
    }
    case 'tool':
      return { mono: plain(rule.tool), words: 'with any arguments' };
  }
}

/** The same in one string. */
export function grantText(grant: Grant): string {
  const { mono, words } = grantWords(grant);
  return mono === undefined ? words : `${mono} ${words}`;
}
