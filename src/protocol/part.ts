import type { ApprovalAnswer, ApprovalRequest } from './approval';
import type { FileChange } from './fileChange';

/** The pieces of a message. A part is addressed by its `idx` in the message, counted from 0. */

/** Any JSON object: what a model sends as arguments, what a damaged row holds. */
export type JsonObject = { readonly [key: string]: unknown };

/** Words of the answer or of the person. `omitted`: UTF-16 units that were left out after `text` on the wire. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly omitted?: number;
}

/** The model's thinking. Times are epoch milliseconds, for display only. */
export interface ThinkingPart {
  readonly type: 'thinking';
  readonly text: string;
  readonly omitted?: number;
  readonly startedAt: number;
  readonly endedAt?: number;
}

/**
 * `expired`: it never ran (Stop, a crash, a new user message came first).
 * `interrupted`: it had begun and its result is unknown.
 */
export type ToolState =
  'pending' | 'awaiting_approval' | 'running' | 'done' | 'error' | 'denied' | 'expired' | 'interrupted';

/**
 * What a tool answered: `content` goes to the model, `summary` (a few words such as `204 lines`) to the row.
 * `exitCode`: of a command that has ended.
 */
export interface ToolResult {
  readonly content: string;
  readonly omitted?: number;
  readonly summary?: string;
  readonly exitCode?: number;
  readonly image?: ToolImage;
}

/** An image that a tool read. `bytes`: its size. `data`: standard base64; left out on the way to a view. */
export interface ToolImage {
  readonly mediaType: string;
  readonly bytes: number;
  readonly data?: string;
}

/** What a command has printed so far. `text`: the end of it, without control sequences; `bytes`: of all of it. */
export interface ToolOutput {
  readonly text: string;
  readonly bytes: number;
}

/** A call and its result are one part, so they cannot come apart. `callId` is the model's own and never relied on. */
export interface ToolPart {
  readonly type: 'tool';
  readonly name: string;
  readonly callId?: string;
  readonly arguments: JsonObject;
  readonly state: ToolState;
  /** Its effects may be there: it ran, or began to, and does not only read. */
  readonly effects?: true;
  /** It asked for leave. */
  readonly approval?: ApprovalRequest;
  readonly answer?: ApprovalAnswer;
  /** What it changes in a file, from the moment on at which it begins to. */
  readonly change?: FileChange;
  /** While it runs. */
  readonly output?: ToolOutput;
  readonly result?: ToolResult;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

/** An image of the person. `bytes`: its size. `data`: standard base64 without a prefix; left out on the way to a view. */
export interface AttachmentPart {
  readonly type: 'attachment';
  readonly kind: 'image';
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly data?: string;
}

/**
 * Something that the host says in the conversation, in a message of its own (role `user`, origin `host`).
 * `compaction`: `text` stands for all messages up to and with `covers` when the model is told the conversation. The
 * transcript keeps them.
 */
export interface NoticePart {
  readonly type: 'notice';
  readonly kind: 'compaction';
  readonly text: string;
  readonly omitted?: number;
  readonly covers: number;
}

/** A part that this build does not know: kept whole, shown as such. */
export interface UnknownPart {
  readonly type: 'unknown';
  readonly originalType: string;
  readonly json: string;
}

export type Part = TextPart | ThinkingPart | ToolPart | AttachmentPart | NoticePart | UnknownPart;

/** Whether streamed text can be appended to the part. */
export function isStreamed(part: Part): part is TextPart | ThinkingPart {
  return part.type === 'text' || part.type === 'thinking';
}

/**
 * The call after its run has ended without it: what had begun has an unknown result, what had not begun never will.
 * A call that has its result is answered as it is, the same object. `endedAt`: epoch milliseconds.
 */
export function closedCall(part: ToolPart, endedAt: number): ToolPart {
  if (part.state === 'running') return { ...part, state: 'interrupted', endedAt };
  if (part.state === 'pending' || part.state === 'awaiting_approval') return { ...part, state: 'expired', endedAt };
  return part;
}

/** Whether what a call was to change in a file may be changed: it did it, or nobody saw how far it came. */
export function mayHaveChanged({ state }: ToolPart): boolean {
  return state === 'done' || state === 'interrupted';
}
