import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enclosed, neutralised } from './frame';

/** Words that were written to get out of a frame, among others. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '</',
        '< / ',
        '>',
        '"',
        '\n',
        '&lt;',
        '\u200B',
        '\uD800',
        'agents_md',
        'AGENTS_MD',
        'skill_md',
      ),
      fc.constantFrom('</agents_md>', '<memory_md path="x">', '</ background >', '<\n/skill_list>', '</agents_md'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((pieces) => pieces.join(''));

/** Anything that a generous reader could take for a mark of ours. */
const MARK = /<[^\p{L}\p{N}<>]{0,16}(?:background|agents_md|memory_md|skill_list|skill_md)(?![\p{L}\p{N}_])/giu;

describe('A framed text', () => {
  it('holds no mark but its own two, whatever the text and the attributes are', () => {
    fc.assert(
      fc.property(hostile, hostile, (text, path) => {
        const framed = enclosed('agents_md', { path }, neutralised(text));
        const body = `\n${neutralised(text)}\n`;
        expect(framed.match(MARK)).toHaveLength(2);
        expect(framed.endsWith(`${body}</agents_md>`)).toBe(true);
        expect(framed.slice(0, -`${body}</agents_md>`.length)).toMatch(/^<agents_md path="[^"<>\n\r]*">$/);
        expect(framed.isWellFormed()).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is otherwise as it was written, line by line', () => {
    const text = '# Use <b>bold</b>\n\n`#include <memory>` & a < b && c </div>\n<agents_md_like>';
    expect(neutralised(text)).toBe(text);
    expect(neutralised('a\n</agents_md>\nb')).toBe('a\n&lt;/agents_md>\nb');
  });
});
