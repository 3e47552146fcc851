import type { EndReason, MessageStatus } from '../../src/protocol/message';

/** What a window of the long run is started with. */
export interface WindowOptions {
  /** Folder of the history file. */
  readonly history: string;
  /** The workspace folder, in which the tools read. */
  readonly work: string;
  readonly serverUrl: string;
  /** Path of the ripgrep program. */
  readonly ripgrep: string;
  /** Window of the model in tokens. */
  readonly contextLength: number;
  /** The conversation to open; a new one is made when it is absent. */
  readonly conversation?: string;
}

/**
 * A moment at which a window dies. Those of the first list are reached in the window, which then kills itself; those of
 * the second on the server, which has the window killed. `anytime`: some milliseconds after a message was sent.
 */
export const WINDOW_MOMENTS = [
  'sent', // the person's message is recorded and not in the file
  'accepted', // the message was accepted, and nothing has been asked yet
  'before_request', // the answer has begun, and its request has not left
  'call_made', // the model has called, and that is not in the file
  'in_tool', // the first tool runs
  'in_next_tool', // a later one runs
  'after_result', // the first result is recorded
  'between', // all results are there, the next request has not left
  'compacting', // the conversation is about to be summarised
] as const;
export const SERVER_MOMENTS = ['waiting', 'thinking', 'writing', 'after_call', 'summary'] as const;
export type WindowMoment = (typeof WINDOW_MOMENTS)[number];
export type ServerMoment = (typeof SERVER_MOMENTS)[number];
export type Moment = WindowMoment | ServerMoment | 'anytime';

/** What the parent tells a window. */
export type ParentLine =
  | { readonly kind: 'send'; readonly clientId: string; readonly text: string }
  | { readonly kind: 'retry' }
  /** One more moment at which it dies. */
  | { readonly kind: 'die'; readonly at: WindowMoment }
  | { readonly kind: 'close' };

/** How the newest message stands. */
export interface LastMessage {
  readonly seq: number;
  readonly role: 'user' | 'assistant';
  readonly status: MessageStatus;
  readonly reason?: EndReason;
}

/** A message that has ended; `print` stands for all that it holds. */
export interface EndedMessage {
  readonly seq: number;
  readonly print: string;
}

/** `text` stands for all messages up to and with `covers`. */
export interface Summary {
  readonly covers: number;
  readonly text: string;
}

/** What a window tells the parent, one JSON value per line. */
export type WindowLine =
  /**
   * The conversation is open. `own`, `queued`: the messages of the person that it knows, by their client ids;
   * `summary`: the newest one that it knows.
   */
  | {
      readonly kind: 'open';
      readonly conversation: string;
      readonly own: readonly string[];
      readonly queued: readonly string[];
      readonly summary?: Summary;
      readonly last?: LastMessage;
    }
  /** A message of the person begins a turn. */
  | { readonly kind: 'asked'; readonly clientId: string }
  /** The file holds the message of the person, as part of the transcript or of the queue. */
  | { readonly kind: 'kept'; readonly clientId: string }
  | { readonly kind: 'refused'; readonly clientId?: string; readonly words: string }
  /** The file holds a summary. */
  | ({ readonly kind: 'compacted' } & Summary)
  /** Nothing runs, and everything is in the file. `ended`: the messages that have ended since the last such line. */
  | { readonly kind: 'idle'; readonly ended: readonly EndedMessage[]; readonly last?: LastMessage }
  /** What people are told of the file. */
  | { readonly kind: 'unsaved'; readonly words: string }
  | { readonly kind: 'log'; readonly words: string }
  /** An exception that nobody caught. */
  | { readonly kind: 'broken'; readonly words: string }
  | { readonly kind: 'dying'; readonly at: WindowMoment }
  | { readonly kind: 'closed' };
