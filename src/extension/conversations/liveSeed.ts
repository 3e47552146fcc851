import type { Conversation } from '../../protocol/conversation';
import type { Draft } from '../../protocol/frame';
import type { QueuedMessage } from '../../protocol/status';
import type { ConversationCreated, ConversationForked, StoredMode, WorkspaceIdentity } from '../storage/change';
import type { Page } from '../storage/reading/page';
import type { ChunkCursor } from '../storage/reading/update';

/** Where a live conversation starts from. */
export interface LiveSeed {
  readonly conversation: Conversation;
  readonly workspace: WorkspaceIdentity;
  readonly page: Page;
  /** What it may do without asking. Default: nothing but read. */
  readonly mode?: StoredMode;
  /** What the file knows beside the transcript; undefined when it does not hold the conversation yet. */
  readonly stored?: StoredFacts;
  /** How a conversation comes into the file that it is not in. Default: new, with its first message. */
  readonly origin?: ConversationCreated | ConversationForked;
}

/** What the file knows of a conversation beside its transcript. */
export interface StoredFacts {
  /** Highest fence of a run that was over when this was read, or is this window's own. */
  readonly seenFence: number;
  /** Whether another window runs it. */
  readonly elsewhere: boolean;
  /** Whether calls of it wait for an answer while no window runs it. */
  readonly suspended: boolean;
  readonly queue: readonly QueuedMessage[];
  readonly draft?: Draft;
  readonly rejected: number;
  readonly growing?: ChunkCursor;
  /** Where the feed of changes stood before all of this was read. */
  readonly feedPosition: number | undefined;
}
