import type { TranscriptEvent } from '../../protocol/event';
import type { ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import { closedCall, type Part } from '../../protocol/part';
import type { LiveConversation } from './liveConversation';
import type { LiveSeed } from './liveSeed';

/**
 * What a fork starts from, and the events that it records first. What has ended is copied within the file; the message
 * that is still being written is recorded as far as it came, so that memory and file agree whatever comes after.
 */
export function forked(
  from: LiveConversation,
  id: ConversationId,
  now: number,
): { readonly fork: LiveSeed; readonly opening: readonly TranscriptEvent[] } {
  const { conversation, messages, hasOlder } = from.transcript;
  const last = messages.at(-1);
  const open = last?.status === 'streaming' ? last : undefined;
  const ended = open === undefined ? messages : messages.slice(0, -1);
  const { title, ...rest } = conversation;
  const fork = { ...rest, id, kind: 'chat', title: title === '' ? '' : `${title} (fork)`, createdAt: now } as const;
  return {
    fork: {
      conversation: fork,
      workspace: from.workspace,
      page: { messages: ended, hasOlder },
      origin: {
        type: 'conversation_forked',
        conversation: fork,
        workspace: from.workspace,
        from: from.id,
        throughSeq: ended.at(-1)?.seq ?? 0,
      },
    },
    opening: open === undefined ? [] : [{ type: 'message_added', message: cutOff(open, now) }],
  };
}

function cutOff(message: Message, endedAt: number): Message {
  const parts = message.parts.map((part): Part => {
    if (part.type === 'tool') return closedCall(part, endedAt);
    return part.type === 'thinking' && part.endedAt === undefined ? { ...part, endedAt } : part;
  });
  return { ...message, status: 'aborted', reason: 'fork', endedAt, parts };
}
