import type { TranscriptEvent } from '../../protocol/event';
import type { Transcript } from '../../protocol/transcript';

/** What the turn is at, for the panel's run line. */
export type Step = 'waiting' | 'thinking' | 'writing' | 'tools';

/** Where a turn puts what happens. The conversation that the turn belongs to implements it. */
export interface Recorder {
  /** The conversation as it is now, with everything recorded so far. */
  readonly transcript: Transcript;
  /** Queued for the file, folded and shown, in one synchronous step. */
  record(event: TranscriptEvent): void;
  /** Resolves when everything recorded so far is in the file, or when it is known that it cannot be now. */
  gate(): Promise<void>;
  at(step: Step): void;
}
