import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';
import { HISTORY_CHARS_PER_IMAGE } from '../base/limits';
import type { Page } from '../storage/reading/page';
import { LiveTranscript } from './liveTranscript';
import { loadHistory } from './loadHistory';

const PAGE = 10;
const id = '01JG0000000000000000000000' as ConversationId;
const image: Part = {
  type: 'attachment',
  kind: 'image',
  name: 'a.png',
  mediaType: 'image/png',
  bytes: 1,
  data: 'AA==',
};

/** Messages in memory once a model of a window of so many characters was to be told the last of a hundred. */
async function loaded(parts: readonly Part[], chars: number): Promise<number> {
  const message = (seq: number): Message => ({ seq, role: 'user', status: 'done', createdAt: 0, parts });
  const pageBefore = (seq: number): Page => {
    const first = Math.max(1, seq - PAGE);
    return {
      messages: Array.from({ length: seq - first }, (_, index) => message(first + index)),
      hasOlder: first > 1,
    };
  };
  const live = new LiveTranscript({
    conversation: { id, kind: 'chat', title: '', createdAt: 0 },
    ...pageBefore(101),
  });
  await loadHistory(live, { readOlderPage: (_, seq) => Promise.resolve(pageBefore(seq)) }, chars);
  return live.current.messages.length;
}

describe('the history that is loaded for a model', () => {
  it('is as long as its window is, in words', async () => {
    expect(await loaded([{ type: 'text', text: 'x'.repeat(100) }], 2_500)).toBe(30);
  });

  it('is no longer for its images, which fill a window, too', async () => {
    expect(await loaded([{ type: 'text', text: 'x' }, image], 25 * HISTORY_CHARS_PER_IMAGE)).toBe(30);
  });
});
