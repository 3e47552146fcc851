import type { TranscriptEvent } from '../../protocol/event';
import type { ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import { closedCall, type Part } from '../../protocol/part';
import type { LiveConversation } from './liveConversation';
import type { LiveSeed } from './liveSeed';

/**
 * What a fork starts from, and the events that it records first. Messages before `fromSeq` (default: all that have ended)
 * are copied within the file. Those from there on are recorded as they are in memory, the last one as far as it came:
 * so memory and file of the fork agree whatever becomes of the other conversation.
 */
export function forked(
  from: LiveConversation,
  id: ConversationId,
  now: number,
  fromSeq?: number,
): { readonly fork: LiveSeed; readonly opening: readonly TranscriptEvent[] } {
  const { conversation, messages, hasOlder } = from.transcript;
  const isCopied = ({ seq, status }: Message): boolean =>
    fromSeq === undefined ? status !== 'streaming' : seq < fromSeq;
  const copied = messages.filter(isCopied);
  const { title, ...rest } = conversation;
  const throughSeq = copied.at(-1)?.seq ?? 0;
  const fork = { ...rest, id, kind: 'chat', title: title === '' ? '' : `${title} (fork)`, createdAt: now } as const;
  return {
    fork: {
      conversation: fork,
      workspace: from.workspace,
      page: { messages: copied, hasOlder },
      // Bypass was given to the other one alone.
      mode: from.storedMode,
      // One of which nothing is copied may not be in the file itself.
      ...(throughSeq === 0
        ? {}
        : {
            origin: {
              type: 'conversation_forked',
              conversation: fork,
              workspace: from.workspace,
              from: from.id,
              throughSeq,
            },
          }),
    },
    opening: messages
      .filter((message) => !isCopied(message))
      .map((message) => ({ type: 'message_added', message: ended(message, now) })),
  };
}

function ended(message: Message, endedAt: number): Message {
  if (message.status !== 'streaming') return message;
  const parts = message.parts.map((part): Part => {
    if (part.type === 'tool') return closedCall(part, endedAt);
    return part.type === 'thinking' && part.endedAt === undefined ? { ...part, endedAt } : part;
  });
  return { ...message, status: 'aborted', reason: 'fork', endedAt, parts };
}
