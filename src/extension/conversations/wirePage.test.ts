import { describe, expect, it } from 'vitest';
import type { Message } from '../../protocol/message';
import { PAGE_CHARS } from '../base/limits';
import { newestThatFit } from './wirePage';

function calling(seq: number, chars: number): Message {
  const call = { type: 'tool', name: 'write_file', state: 'error', arguments: { content: 'x'.repeat(chars) } } as const;
  return { seq, role: 'assistant', status: 'done', createdAt: 0, parts: [call] };
}

describe('the newest messages that fit into a page', () => {
  it('are measured with what calls were given, too', () => {
    const messages = Array.from({ length: 20 }, (_, index) => calling(index + 1, PAGE_CHARS / 4));
    const page = newestThatFit(messages);
    expect(page.cut).toBe(true);
    expect(page.messages.map(({ seq }) => seq)).toEqual([18, 19, 20]);
  });

  it('are one at least, however long it is', () => {
    const page = newestThatFit([calling(1, 10), calling(2, PAGE_CHARS * 2)]);
    expect(page.messages.map(({ seq }) => seq)).toEqual([2]);
  });
});
