import type { TranscriptEvent } from '../../protocol/event';
import type { AttachmentPart } from '../../protocol/part';
import type { QueuedMessage } from '../../protocol/status';
import type { Transcript } from '../../protocol/transcript';
import { titleFrom } from './title';

/** What it makes of a transcript that the person wrote this: a message, and a title where there is none. `now`: epoch milliseconds. */
export function personsEvents(
  { conversation, messages }: Transcript,
  { clientId, text }: QueuedMessage,
  images: readonly AttachmentPart[],
  now: number,
): readonly TranscriptEvent[] {
  const seq = (messages.at(-1)?.seq ?? 0) + 1;
  const parts = [{ type: 'text', text } as const, ...images];
  return [
    { type: 'message_added', message: { seq, role: 'user', status: 'done', clientId, createdAt: now, parts } },
    ...(conversation.title === '' ? [{ type: 'conversation_changed', title: titleFrom(text) } as const] : []),
  ];
}
