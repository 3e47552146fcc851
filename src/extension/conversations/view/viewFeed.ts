import type { TranscriptEvent } from '../../../protocol/event';
import type { Frame, SnapshotFrame } from '../../../protocol/frame';
import type { StreamId } from '../../../protocol/ids';
import type { Clock } from '../../base/clock';
import { ACKNOWLEDGE_MS, FRAME_MS, UNACKNOWLEDGED_BATCHES } from '../../base/limits';

/** Where frames go. Posting is never awaited: it proves nothing about what was drawn. */
export interface ViewPort {
  post(frame: Frame): void;
}

/** Words that grow can wait for the next frame; all else is small and shown at once. */
function canWait(event: TranscriptEvent): boolean {
  return event.type === 'part_delta' || event.type === 'tool_output';
}

/**
 * Feeds one view with one stream: a snapshot, then batches. A view that does not keep up gets fewer, larger batches;
 * one that draws nothing for long is told so, and gets a fresh snapshot when it asks.
 */
export class ViewFeed {
  readonly #port: ViewPort;
  readonly #clock: Clock;
  #stream: StreamId | undefined;
  /** Number of the first event in `pending`. */
  #from = 0;
  #pending: TranscriptEvent[] = [];
  #cancelFlush: (() => void) | undefined;
  /** Last event of each batch that was posted and not yet drawn. */
  #unacknowledged: number[] = [];
  #cancelStale: (() => void) | undefined;

  constructor(port: ViewPort, clock: Clock) {
    this.#port = port;
    this.#clock = clock;
  }

  /** Starts anew from a snapshot, which is posted now. */
  start(snapshot: SnapshotFrame): void {
    this.stop();
    this.#stream = snapshot.stream;
    this.#from = snapshot.n + 1;
    this.#port.post(snapshot);
  }

  /** Sends nothing until the next {@link start}. */
  stop(): void {
    this.#stream = undefined;
    this.#pending = [];
    this.#unacknowledged = [];
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#cancelStale?.();
    this.#cancelStale = undefined;
  }

  /** What the view shows is no longer current: tells it so until it says `ready`. */
  stale(): void {
    this.stop();
    this.#port.post({ kind: 'stale' });
    this.#cancelStale = this.#clock.after(ACKNOWLEDGE_MS, () => this.stale());
  }

  /** The next event of the stream that was started. */
  push(event: TranscriptEvent): void {
    if (this.#stream === undefined) return;
    this.#pending.push(event);
    if (canWait(event)) this.#cancelFlush ??= this.#clock.after(FRAME_MS, () => this.#flushIfKeptUp());
    else this.#flushIfKeptUp();
  }

  /** Posts a frame of another kind, after every event so far. */
  post(frame: Frame): void {
    if (this.#stream === undefined) return;
    this.#flush();
    this.#port.post(frame);
  }

  /** The view has drawn everything up to event `n`. */
  rendered(stream: StreamId, n: number): void {
    if (stream !== this.#stream) return;
    this.#unacknowledged = this.#unacknowledged.filter((last) => last > n);
    this.#cancelStale?.();
    this.#cancelStale = undefined;
    this.#watch();
    if (this.#pending.length > 0) this.#cancelFlush ??= this.#clock.after(FRAME_MS, () => this.#flushIfKeptUp());
  }

  #flushIfKeptUp(): void {
    if (this.#unacknowledged.length < UNACKNOWLEDGED_BATCHES) this.#flush();
    else this.#cancelFlush = undefined; // What comes meanwhile is merged into the batch after the next acknowledgement.
  }

  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const stream = this.#stream;
    if (stream === undefined || this.#pending.length === 0) return;
    const events = this.#pending;
    this.#pending = [];
    this.#port.post({ kind: 'batch', stream, from: this.#from, events });
    this.#from += events.length;
    this.#unacknowledged.push(this.#from - 1);
    this.#watch();
  }

  #watch(): void {
    if (this.#unacknowledged.length === 0) return;
    this.#cancelStale ??= this.#clock.after(ACKNOWLEDGE_MS, () => this.stale());
  }
}
