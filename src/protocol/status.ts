import type { Mode } from './approval';
import type { ClientId } from './ids';
import type { EndReason } from './message';

/**
 * Whether what was said is in the file. `since`: epoch milliseconds of the first write that failed; `waiting`: messages
 * that are not in the file, or not whole. `rejected`: the file will never take `count` changes; it keeps them aside.
 */
export type SaveState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'unsaved'; readonly since: number; readonly waiting: number; readonly why: string }
  | { readonly kind: 'rejected'; readonly count: number; readonly why: string };

/**
 * What a model server does before the first word of an answer, as far as it can be known. `queued`: it answers another
 * request of ours first. `loading`: it reads the model into memory. `reading`: it reads the prompt.
 */
export type WaitPhase = 'queued' | 'loading' | 'reading';

/** What a turn is at. `retrying`: the `attempt`th of at most `of` more tries, after a failure for `reason`. */
export type RunStep =
  | { readonly kind: 'waiting'; readonly phase?: WaitPhase }
  | { readonly kind: 'retrying'; readonly attempt: number; readonly of: number; readonly reason: EndReason }
  | { readonly kind: 'thinking' | 'writing' | 'tools' }
  | { readonly kind: 'compacting' };

/** What the conversation does. `startedAt` (epoch milliseconds) is when the turn began, for the clock. */
export type RunState =
  | { readonly kind: 'idle' }
  | (RunStep & { readonly startedAt: number })
  | { readonly kind: 'awaiting_approval' | 'stopping'; readonly startedAt: number };

/**
 * How much of the model's window the conversation takes, in tokens: what the next request will hold at least.
 * `tokens` = `system` (instructions, AGENTS.md, memory, tools) + `files` (results of tools, attachments) + `history`.
 * `window`: what the model runs with; undefined while that is not known. `trained`: what the model itself can do.
 * `reported`: the total is the server's own figure, not an estimate.
 */
export interface ContextMeter {
  readonly tokens: number;
  readonly system: number;
  readonly files: number;
  readonly history: number;
  readonly window?: number;
  readonly trained?: number;
  readonly reported: boolean;
}

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
  readonly mode: Mode;
  /** In the order in which they will be sent. */
  readonly queue: readonly QueuedMessage[];
  /** Absent until there is something to measure. */
  readonly context?: ContextMeter;
}

/** What the server says a model can do; undefined where it says nothing (old servers), which is not "cannot". */
export interface ModelAbilities {
  readonly tools?: boolean;
  readonly thinking?: boolean;
  readonly vision?: boolean;
  /** The window the model was trained with, in tokens. Not the window it runs with. */
  readonly trainedContext?: number;
}

/** A model of the server, as far as the server says. Sizes in bytes. */
export interface ModelInfo extends ModelAbilities {
  readonly name: string;
  readonly size?: number;
  readonly parameterSize?: string;
  /** Of the family that thinks at levels (`low` to `high`) and cannot be told not to. */
  readonly family?: string;
  /** Where the model really runs, when that is not the server itself. */
  readonly remoteHost?: string;
  /** Whether it can chat at all; models for embeddings cannot. */
  readonly chat?: boolean;
}

/** A model that the server holds in memory. `contextLength`: the window it runs with, in tokens. */
export interface LoadedModel {
  readonly name: string;
  readonly contextLength?: number;
  /** Bytes in all, and of these in the memory of the graphics card: less there means slower. */
  readonly size?: number;
  readonly sizeVram?: number;
}

/**
 * A model that is on its way to the server. Sizes in bytes over all its layers, as far as they are known.
 * `failed`: `why` is a sentence; what has arrived stays on the server.
 */
export type PullState =
  | {
      readonly model: string;
      readonly kind: 'pulling';
      /** The server's own word for what it does. */
      readonly status: string;
      readonly completed?: number;
      readonly total?: number;
      readonly bytesPerSecond?: number;
    }
  | { readonly model: string; readonly kind: 'failed'; readonly why: string };

/**
 * What may help where no server answers. `host`: something answers there (`why` says what the place is).
 * `forward`: a line for the configuration of SSH.
 */
export type ServerOffer =
  | { readonly kind: 'host'; readonly host: string; readonly why: string }
  | { readonly kind: 'forward'; readonly line: string };

/** Whether the model server answers. `host` is named as the person would type it; `triedAt` is epoch milliseconds. */
export type ServerState =
  | { readonly kind: 'unknown'; readonly host: string }
  | {
      readonly kind: 'down';
      readonly host: string;
      readonly why: string;
      readonly triedAt: number;
      readonly retryMs: number;
      readonly offers?: readonly ServerOffer[];
    }
  | {
      readonly kind: 'up';
      readonly host: string;
      readonly version: string;
      readonly models: readonly ModelInfo[];
      readonly loaded?: readonly LoadedModel[];
    };

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
  /** Bytes of memory of the machine that the extension host runs on. */
  readonly memory?: number;
  /** Models on their way to the server, newest last. */
  readonly pulls?: readonly PullState[];
}
