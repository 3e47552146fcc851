import type { Message, MessageEnd } from './message';
import type { Part, ToolOutput } from './part';

/** A message that was not there before, with the parts it starts with. */
export interface MessageAdded {
  readonly type: 'message_added';
  readonly message: Message;
}

/** A message ended; its parts stay as they are. */
export interface MessageEnded {
  readonly type: 'message_ended';
  readonly seq: number;
  readonly end: MessageEnd;
}

/** A part in its whole, new or changed. `idx` is at most the number of parts the message has. */
export interface PartSet {
  readonly type: 'part_set';
  readonly seq: number;
  readonly idx: number;
  readonly part: Part;
}

/** Streamed text of a text or thinking part. `at` is the UTF-16 offset of `text` in the part: overlap is cut. */
export interface PartDelta {
  readonly type: 'part_delta';
  readonly seq: number;
  readonly idx: number;
  readonly at: number;
  readonly text: string;
}

/** What a call that runs has printed so far, whole. A call that does not run any more has its result instead. */
export interface ToolOutputSet {
  readonly type: 'tool_output';
  readonly seq: number;
  readonly idx: number;
  readonly output: ToolOutput;
}

/** The conversation's title or model changed. */
export interface ConversationChanged {
  readonly type: 'conversation_changed';
  readonly title?: string;
  readonly model?: string;
}

/**
 * What can happen to a transcript: one discriminated union, folded by one reducer in host and page alike. Events of one
 * live instance (a stream) are numbered from 1; the number `n` and the stream travel on the frame that holds them.
 */
export type TranscriptEvent = MessageAdded | MessageEnded | PartSet | PartDelta | ToolOutputSet | ConversationChanged;
