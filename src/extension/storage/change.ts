import type { Mode, Rule } from '../../protocol/approval';
import type { Conversation } from '../../protocol/conversation';
import type { ConversationChanged, MessageAdded, MessageEnded, PartSet } from '../../protocol/event';
import type { ClientId, ConversationId } from '../../protocol/ids';
import type { SubAgent, SubAgentChange } from '../../protocol/subAgent';
import type { FileVersion, VersionState } from '../base/fileVersion';

/** The folder a conversation belongs to: `key` says whose history it is, `name` is what a person calls it. */
export interface WorkspaceIdentity {
  readonly key: string;
  readonly name: string;
}

/** What a conversation may do without asking, as the file keeps it. Bypass is never stored. */
export type StoredMode = Exclude<Mode, 'bypass'>;

/** A new conversation. */
export interface ConversationCreated {
  readonly type: 'conversation_created';
  readonly conversation: Conversation;
  readonly workspace: WorkspaceIdentity;
}

/** A new conversation that starts with the ended messages of another one, up to and with `throughSeq`. */
export interface ConversationForked {
  readonly type: 'conversation_forked';
  readonly conversation: Conversation;
  readonly workspace: WorkspaceIdentity;
  readonly from: ConversationId;
  readonly throughSeq: number;
}

/** Streamed text. Chunks count from 0 in their part; `at` is the UTF-16 offset of `text` in it. */
export interface Delta {
  readonly type: 'delta';
  readonly seq: number;
  readonly idx: number;
  readonly chunk: number;
  readonly at: number;
  readonly text: string;
}

/**
 * What can be asked of the writer. Transcript events are stored as they are folded; streamed text goes in chunks
 * until a `part_set` replaces the part and drops its chunks. A `message_added` takes its message out of the queue.
 */
export type Change =
  | ConversationCreated
  | ConversationForked
  /**
   * `seen`: the highest fence that this window knew when it chose its own (default: all lower ones). `resumes`: the fence of
   * the suspended run whose place it takes; the store sets it, since it granted that.
   */
  | { readonly type: 'run_started'; readonly fence: number; readonly seen?: number; readonly resumes?: number }
  | { readonly type: 'run_ended' }
  /** Nobody runs it any more, and calls of its last message wait for an answer. */
  | { readonly type: 'run_suspended' }
  /** What a call makes of a file, or would; one for the same call and path takes the place of an earlier one. */
  | {
      readonly type: 'file_version_set';
      readonly seq: number;
      readonly idx: number;
      readonly version: FileVersion;
      readonly state: VersionState;
    }
  /** A change of a file was taken back or made again, or begins to be made. */
  | {
      readonly type: 'file_version_changed';
      readonly seq: number;
      readonly idx: number;
      readonly path: string;
      readonly state: VersionState;
    }
  | { readonly type: 'mode_set'; readonly mode: StoredMode }
  /** From now on, in the conversation's workspace. */
  | { readonly type: 'permission_granted'; readonly rule: Rule }
  | Delta
  | MessageAdded
  | MessageEnded
  | PartSet
  | ConversationChanged
  | {
      readonly type: 'message_queued';
      readonly clientId: ClientId;
      readonly text: string;
      readonly createdAt: number;
    }
  | { readonly type: 'message_unqueued'; readonly clientId: ClientId }
  /** A message of the queue goes before another one, or last. When either is not in the queue (any more), nothing happens. */
  | { readonly type: 'message_moved'; readonly clientId: ClientId; readonly before?: ClientId }
  | { readonly type: 'draft_set'; readonly text: string; readonly at: number }
  /** The life of a sub-agent whose conversation is there already. */
  | { readonly type: 'sub_agent_created'; readonly subAgent: SubAgent }
  | { readonly type: 'sub_agent_changed'; readonly change: SubAgentChange };

const NOBODYS_RUN: ReadonlySet<Change['type']> = new Set([
  'conversation_created',
  'conversation_forked',
  'run_started',
  'conversation_changed',
  'message_queued',
  'message_unqueued',
  'message_moved',
  'draft_set',
  'mode_set',
  'permission_granted',
]);

/** Whether a change belongs to a run, and so carries its fence. A title, a model, a draft and a queue are nobody's run. */
export function isOfRun({ type }: Change): boolean {
  return !NOBODYS_RUN.has(type);
}

/** A change with its conversation, its time (epoch ms) and, inside a run, the fence that must still be the run's. */
export interface Command {
  readonly conversationId: ConversationId;
  readonly fence?: number;
  readonly at: number;
  readonly change: Change;
}

/** Who writes: the owner file of this window and the machine it runs on. */
export interface WriterIdentity {
  readonly owner: string;
  readonly host: string;
}

/**
 * `written`: committed. `rejected`: it can never be written and stands in the table `rejected`.
 * `fenced`: the run it belongs to is no longer ours; nothing was written.
 */
export type WriteOutcome = 'written' | 'rejected' | 'fenced';
