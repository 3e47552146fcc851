import type { ConversationId } from './ids';

/** What a view needs to know of a conversation beside its messages. Times are epoch milliseconds. */
export interface Conversation {
  readonly id: ConversationId;
  readonly kind: 'chat' | 'sub_agent';
  /** Empty until the first message names it. */
  readonly title: string;
  readonly model?: string;
  readonly createdAt: number;
}

/** One row of a list of conversations. Derived from the conversation rows, never kept beside them. */
export interface ConversationSummary extends Conversation {
  readonly updatedAt: number;
  readonly messageCount: number;
  readonly running: boolean;
  /** The person's last words in it, cut to a line. */
  readonly lastUserText?: string;
}
