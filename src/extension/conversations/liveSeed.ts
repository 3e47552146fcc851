import type { Conversation } from '../../protocol/conversation';
import type { WorkspaceIdentity } from '../storage/change';
import type { Page } from '../storage/reader';

/** Where a live conversation starts from. */
export interface LiveSeed {
  readonly conversation: Conversation;
  readonly workspace: WorkspaceIdentity;
  readonly page: Page;
  /** Whether the file holds it. One that is new is written with its first message. */
  readonly stored: boolean;
  readonly lastFence: number;
  /** Whether another window runs it. */
  readonly elsewhere: boolean;
}
