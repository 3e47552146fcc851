import type { Conversation } from '../../protocol/conversation';
import type { ConversationChanged, MessageAdded, MessageEnded, PartSet } from '../../protocol/event';
import type { ConversationId } from '../../protocol/ids';

/** The folder a conversation belongs to: `key` says whose history it is, `name` is what a person calls it. */
export interface WorkspaceIdentity {
  readonly key: string;
  readonly name: string;
}

/**
 * What can be asked of the writer. Transcript events are stored as they are folded; streamed text goes in chunks,
 * counted from 0 in their part, until a `part_set` replaces the part and drops its chunks.
 */
export type Change =
  | {
      readonly type: 'conversation_created';
      readonly conversation: Conversation;
      readonly workspace: WorkspaceIdentity;
    }
  | { readonly type: 'run_started'; readonly fence: number }
  | { readonly type: 'run_ended' }
  | {
      readonly type: 'delta';
      readonly seq: number;
      readonly idx: number;
      readonly chunk: number;
      readonly at: number;
      readonly text: string;
    }
  | MessageAdded
  | MessageEnded
  | PartSet
  | ConversationChanged;

/** A change with its conversation, its time (epoch ms) and, inside a run, the fence that must still be the run's. */
export interface Command {
  readonly conversationId: ConversationId;
  readonly fence?: number;
  readonly at: number;
  readonly change: Change;
}

/**
 * `written`: committed. `rejected`: it can never be written and stands in the table `rejected`.
 * `fenced`: the run it belongs to is no longer ours; nothing was written.
 */
export type WriteOutcome = 'written' | 'rejected' | 'fenced';
