import { isOwnMessage, type Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';
import { withOlderPage } from '../../protocol/transcript';
import { lastCompaction } from '../agent/history';
import { HISTORY_CHARS_PER_IMAGE, RESULT_SHARE } from '../base/limits';
import type { Reader } from '../storage/reading/reader';
import type { LiveTranscript } from './liveTranscript';

/**
 * Puts older pages before what is in memory until a model can be told as much as its window holds: `chars` characters,
 * or all that no summary stands for, and the person's last message with something before it in any case. Throws
 * StorageError.
 */
export async function loadHistory(
  live: LiveTranscript,
  reader: Pick<Reader, 'readOlderPage'>,
  chars: number,
): Promise<void> {
  for (;;) {
    const { conversation, messages, hasOlder } = live.current;
    const first = messages[0];
    if (!hasOlder || first === undefined || isEnough(messages, chars)) return;
    const page = await reader.readOlderPage(conversation.id, first.seq);
    // It may have been read anew meanwhile.
    if (live.current.messages[0]?.seq === first.seq)
      live.extend(withOlderPage(live.current, page.messages, page.hasOlder));
  }
}

function isEnough(messages: readonly Message[], chars: number): boolean {
  if (messages.findLastIndex(isOwnMessage) < 1) return false;
  const covers = lastCompaction(messages)?.covers;
  const first = messages[0]?.seq ?? 0;
  if (covers !== undefined && first <= covers + 1) return true;
  const most = chars * RESULT_SHARE;
  const sizes = messages.map(({ parts }) => parts.reduce((sum, part) => sum + told(part, most), 0));
  return sizes.reduce((sum, size) => sum + size, 0) >= chars;
}

/** Characters of a part that a model is told; of a result it is `most` at most. */
function told(part: Part, most: number): number {
  if (part.type === 'text') return part.text.length;
  // Their data stays in memory: a long conversation of screenshots must not come there whole.
  if (part.type === 'attachment') return HISTORY_CHARS_PER_IMAGE;
  return part.type === 'tool' ? Math.min(part.result?.content.length ?? 0, most) : 0;
}
