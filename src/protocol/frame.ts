import type { TranscriptEvent } from './event';
import type { HelloId, StreamId } from './ids';
import type { Message } from './message';
import type { Part } from './part';
import type { ConversationStatus, WindowFacts } from './status';
import type { Transcript } from './transcript';

/** The whole of what a view shows, taken from memory at event `n`. Answers the `ready` named by `hello`. */
export interface SnapshotFrame {
  readonly kind: 'snapshot';
  readonly hello: HelloId;
  readonly stream: StreamId;
  readonly n: number;
  readonly transcript: Transcript;
  readonly status: ConversationStatus;
  readonly facts: WindowFacts;
  readonly draft?: Draft;
}

/** What was being written in the composer, and when (epoch milliseconds): the newer of two drafts wins. */
export interface Draft {
  readonly text: string;
  readonly at: number;
}

/** Events `from` … `from + events.length - 1` of the stream. */
export interface BatchFrame {
  readonly kind: 'batch';
  readonly stream: StreamId;
  readonly from: number;
  readonly events: readonly TranscriptEvent[];
}

/** Older messages as they were at event `asOf`. */
export interface PageFrame {
  readonly kind: 'page';
  readonly stream: StreamId;
  readonly asOf: number;
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
}

/** One part whole, as it was at event `asOf`. */
export interface PartFrame {
  readonly kind: 'part';
  readonly stream: StreamId;
  readonly asOf: number;
  readonly seq: number;
  readonly idx: number;
  readonly part: Part;
}

export interface StatusFrame {
  readonly kind: 'status';
  readonly stream: StreamId;
  readonly status: ConversationStatus;
}

export interface FactsFrame {
  readonly kind: 'facts';
  readonly facts: WindowFacts;
}

/** What the view shows is no longer current (another conversation, or it fell behind): it says `ready` again. */
export interface StaleFrame {
  readonly kind: 'stale';
}

/** Everything the host tells a view goes by one ordered channel of notifications. */
export type Frame = SnapshotFrame | BatchFrame | PageFrame | PartFrame | StatusFrame | FactsFrame | StaleFrame;
