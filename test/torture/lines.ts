import type { ApprovalAnswer } from '../../src/protocol/approval';
import type { VersionState } from '../../src/extension/base/fileVersion';
import type { EndReason, MessageStatus } from '../../src/protocol/message';
import type { ToolState } from '../../src/protocol/part';

/** Stands for a text in the log: enough to know it again, and to show a person which one it was. */
export interface Print {
  readonly length: number;
  readonly hash: string;
  readonly start: string;
}

export interface AckedPart {
  readonly type: string;
  readonly text?: Print;
  readonly state?: ToolState;
  readonly name?: string;
  readonly arguments?: Print;
  readonly result?: Print;
  /** Of a call with effects: names it, whatever becomes of its conversation. */
  readonly mark?: string;
  /** Id of the request for leave, and how that was answered. */
  readonly request?: string;
  readonly answer?: ApprovalAnswer['kind'];
}

/** A call with effects, as it is known to its tool and to the person who is asked. */
export interface MarkedCall {
  readonly conversation: string;
  readonly mark: string;
  /** What it runs: the same line may be that of several calls. Absent: it changes a file. */
  readonly command?: string;
}

/** `unsaved`: the person was told that it could not be written down. */
export interface GivenLeave extends MarkedCall {
  readonly answer: ApprovalAnswer['kind'];
  readonly unsaved: boolean;
}

/** A command that the store said is written, without the weight of its texts. */
export interface Acked {
  readonly conversation: string;
  readonly type: string;
  readonly fence?: number;
  readonly seq?: number;
  readonly idx?: number;
  readonly at?: number;
  readonly text?: Print;
  readonly role?: string;
  readonly clientId?: string;
  readonly status?: MessageStatus;
  readonly reason?: EndReason;
  readonly parts?: readonly AckedPart[];
  readonly title?: string;
  readonly workspace?: string;
  /** Of a permission: as JSON. */
  readonly rule?: string;
  /** Of a version of a file: its path, whether it was done, and the SHA-256 of its bytes before and after, where it was there. */
  readonly path?: string;
  readonly version?: VersionState;
  readonly before?: string;
  readonly after?: string;
}

/** What a worker tells the parent, one JSON value per line. */
export type WorkerLine =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'ack' } & Acked)
  /** `started`: the run's own row was acknowledged before, so the run was really this worker's. */
  | {
      readonly kind: 'fenced';
      readonly conversation: string;
      readonly type: string;
      readonly fence: number;
      readonly started: boolean;
    }
  | { readonly kind: 'rejected'; readonly conversation: string; readonly type: string; readonly command: string }
  /** Something that a person would read, and where. */
  | { readonly kind: 'shown'; readonly where: string; readonly text: string }
  | { readonly kind: 'did'; readonly what: string; readonly conversation: string }
  | { readonly kind: 'takeover_asked'; readonly conversation: string }
  | { readonly kind: 'takeover_answered'; readonly conversation: string; readonly ok: boolean }
  /** Told by the tool itself, as the first thing it does. */
  | ({ readonly kind: 'effect' } & MarkedCall)
  /** Told before the answer is handed to the product. */
  | ({ readonly kind: 'leave' } & GivenLeave)
  /** `taken`: how many answers to one request were taken. `resumed`: nobody ran the conversation. */
  | { readonly kind: 'answered'; readonly conversation: string; readonly taken: number; readonly resumed: boolean }
  | { readonly kind: 'log'; readonly text: string }
  /** An exception that nobody caught. */
  | { readonly kind: 'broken'; readonly text: string }
  /** `unwritten`: changes that the store still had when it was closed. `inPeace`: they had their time. */
  | { readonly kind: 'closed'; readonly unwritten: number; readonly inPeace: boolean };

/** What the parent tells a worker. */
export type ParentLine =
  | { readonly kind: 'jump'; readonly ms: number }
  /** Until `ms` have passed, statements that write fail with `code` at random. */
  | { readonly kind: 'inject'; readonly code: string; readonly share: number; readonly ms: number }
  /** Start nothing new. */
  | { readonly kind: 'calm' }
  /** Close the window at once, whatever goes on in it. */
  | { readonly kind: 'leave' }
  | { readonly kind: 'close' };

/** What the observer tells the parent. */
export type ObserverLine =
  | { readonly kind: 'copied'; readonly conversations: number; readonly ms: number }
  | { readonly kind: 'read'; readonly conversations: number; readonly messages: number }
  | { readonly kind: 'passing'; readonly where: string; readonly code: string }
  | { readonly kind: 'unreadable'; readonly where: string; readonly conversation?: string; readonly why: string }
  | { readonly kind: 'closed' };

/** What the holder of the lock is told and tells. */
export type HolderLine = { readonly kind: 'hold'; readonly exclusive: boolean; readonly ms: number };
export type HolderAnswer = { readonly kind: 'held' } | { readonly kind: 'refused'; readonly why: string };
