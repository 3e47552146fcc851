import type { ConversationId } from './ids';

/** `interrupted`: the window that ran it is gone. What has ended never changes again. */
export type SubAgentState = 'queued' | 'running' | 'done' | 'error' | 'cancelled' | 'interrupted';

/** The call of the parent that made a sub-agent. */
export interface CallPlace {
  readonly conversationId: ConversationId;
  readonly seq: number;
  readonly idx: number;
}

/**
 * The life of a sub-agent. What it said is a conversation like any other, with the same id. Times are epoch
 * milliseconds. `deliveredSeq`: the message of the parent that holds its result, once that was delivered.
 */
export interface SubAgent {
  readonly id: ConversationId;
  readonly parent: CallPlace;
  readonly state: SubAgentState;
  readonly description: string;
  readonly prompt: string;
  readonly result?: string;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly deliveredSeq?: number;
}

/** What of a sub-agent can change. What is left out stays. */
export type SubAgentChange = { readonly state: SubAgentState } & Partial<
  Pick<SubAgent, 'result' | 'startedAt' | 'finishedAt' | 'deliveredSeq'>
>;
