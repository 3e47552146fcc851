import type { ClientId } from './ids';

/**
 * Whether what was said is in the file. `since`: epoch milliseconds of the first write that failed; `waiting`: messages
 * that are not in the file, or not whole. `rejected`: the file will never take `count` changes; it keeps them aside.
 */
export type SaveState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'unsaved'; readonly since: number; readonly waiting: number; readonly why: string }
  | { readonly kind: 'rejected'; readonly count: number; readonly why: string };

/** What the conversation does. `startedAt` (epoch milliseconds) is when the turn began, for the clock. */
export type RunState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting' | 'thinking' | 'writing' | 'tools' | 'stopping'; readonly startedAt: number };

/** A message that was written while a turn goes on: it is sent after it. `createdAt`: epoch milliseconds. */
export interface QueuedMessage {
  readonly clientId: ClientId;
  readonly text: string;
  readonly createdAt: number;
}

/**
 * Small, whole and versioned: the last one wins. It is part of the snapshot and never folded.
 * `owner`: which window writes this conversation; in one that is owned elsewhere nothing can be sent.
 */
export interface ConversationStatus {
  readonly version: number;
  readonly save: SaveState;
  readonly run: RunState;
  readonly owner: 'none' | 'here' | 'elsewhere';
  /** In the order in which they will be sent. */
  readonly queue: readonly QueuedMessage[];
}

/** What a model of the server can do, as far as the server says. Sizes in bytes, windows in tokens. */
export interface ModelInfo {
  readonly name: string;
  readonly size?: number;
  readonly parameterSize?: string;
  /** Where the model really runs, when that is not the server itself. */
  readonly remoteHost?: string;
}

/** Whether the model server answers. `host` is named as the person would type it; `triedAt` is epoch milliseconds. */
export type ServerState =
  | { readonly kind: 'unknown'; readonly host: string }
  | {
      readonly kind: 'down';
      readonly host: string;
      readonly why: string;
      readonly triedAt: number;
      readonly retryMs: number;
    }
  | { readonly kind: 'up'; readonly host: string; readonly version: string; readonly models: readonly ModelInfo[] };

/** Facts about the window that every view shows, always whole, never as changes. */
export interface WindowFacts {
  readonly version: number;
  /** Name of the workspace folder; undefined when no folder is open. */
  readonly folder?: string;
  /** Name of the remote machine the extension host runs on; undefined when it is this computer. */
  readonly remote?: string;
  readonly server: ServerState;
  /** The model that a new conversation takes. */
  readonly model?: string;
}
