import type { TranscriptEvent } from '../../protocol/event';
import type { ContextMeter, RunStep } from '../../protocol/status';
import type { Transcript } from '../../protocol/transcript';
import type { FileVersion, VersionState } from '../base/fileVersion';

/** A part of the transcript. */
export interface PartPlace {
  readonly seq: number;
  readonly idx: number;
}

/** Where a turn puts what happens. The conversation that the turn belongs to implements it. */
export interface Recorder {
  /** The conversation as it is now, with everything recorded so far. */
  readonly transcript: Transcript;
  /** Queued for the file, folded and shown, in one synchronous step. */
  record(event: TranscriptEvent): void;
  /** Queues what a call makes of a file, or would, in place of what was kept for it and the same path before. */
  keep(place: PartPlace, version: FileVersion, state: VersionState): void;
  /**
   * Resolves when everything recorded so far is in the file, or when it is known that it cannot be now. Answers whether
   * it is there.
   */
  gate(): Promise<boolean>;
  /** What the turn is at, for the panel's run line. */
  at(step: RunStep): void;
  /** How full the model's window is now. */
  context(meter: ContextMeter): void;
}
