import type { ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import type { Windows } from '../agent/contextMeter';
import type { TurnInput } from '../agent/turn';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import type { WorkspaceIdentity } from '../storage/change';
import type { Store } from '../storage/store';
import type { FileWatch } from './windows/fileWatch';
import type { LiveConversation } from './liveConversation';
import type { ModelRuns } from './turns/modelRuns';
import type { WorkspaceRules } from './leave/workspaceRules';

/** What a turn needs beside its conversation: made anew for every turn, so that settings take effect. */
export type TurnSettings = Omit<TurnInput, 'recorder' | 'clock' | 'model' | 'leave'>;

/** The turn that is about to begin. `messages`: the conversation up to it. */
export interface TurnAsked {
  readonly conversationId: ConversationId;
  readonly model: string;
  readonly workspace: WorkspaceIdentity;
  readonly messages: readonly Message[];
}

/** What a live conversation needs of its surroundings. */
export interface LiveServices {
  readonly store: Store;
  readonly watch: FileWatch;
  readonly clock: Clock;
  readonly log: Log;
  /** What goes on in the window, by model. */
  readonly runs: ModelRuns;
  /** What is allowed in the workspaces of the window. */
  readonly rules: WorkspaceRules;
  /** Whether the person trusts the workspace: where not, nothing is changed and nothing run. */
  isTrusted(): boolean;
  /**
   * A turn of `live` can never be written: it began while the file failed, and another window ran the conversation
   * meanwhile. What is in memory from message `fromSeq` on is kept elsewhere, before the conversation is read anew.
   */
  rescue(live: LiveConversation, fromSeq: number): void;
  /** What is known of the windows (tokens) of a model, without asking for it. */
  windowsOf(model: string): Pick<Windows, 'asked' | 'trained'>;
  /** Never rejects for anything that the model server does. */
  prepareTurn(turn: TurnAsked, signal: AbortSignal): Promise<TurnSettings>;
}
