import type { TranscriptEvent } from '../../../protocol/event';
import type { Part } from '../../../protocol/part';
import type { Clock } from '../../base/clock';
import { OUTPUT_WRITTEN_MS } from '../../base/limits';
import type { Change } from '../../storage/change';
import { DeltaFlusher } from '../../storage/writing/deltaFlusher';

interface Place {
  readonly seq: number;
  readonly idx: number;
}

/**
 * Turns the events of one conversation into changes of the file. Streamed text goes there in chunks while its part
 * grows; a part that stops growing is written whole, in place of its chunks. A call whose output changes is written
 * whole, too, now and then.
 */
export class EventWriter {
  readonly #write: (change: Change) => void;
  readonly #partAt: (place: Place) => Part | undefined;
  readonly #flusher: DeltaFlusher;
  readonly #clock: Clock;
  /** Calls whose output is newer than the file, and what cancels that they are written in a while. */
  readonly #printing = new Map<string, { readonly place: Place; cancel(): void }>();
  /** The part whose streamed text is in the file as chunks only. */
  #growing: Place | undefined;

  /** `partAt` answers a part as it is in memory, before the event that is being written. */
  constructor(write: (change: Change) => void, partAt: (place: Place) => Part | undefined, clock: Clock) {
    this.#write = write;
    this.#partAt = partAt;
    this.#clock = clock;
    this.#flusher = new DeltaFlusher(write, clock);
  }

  write(event: TranscriptEvent): void {
    if (event.type === 'part_delta') {
      this.#growing = { seq: event.seq, idx: event.idx };
      this.#flusher.push(event.seq, event.idx, event.at, event.text);
      return;
    }
    if (event.type === 'tool_output') return this.#printed({ seq: event.seq, idx: event.idx });
    if (event.type === 'part_set') this.#dropPrinted(event);
    if (event.type === 'part_set' || event.type === 'message_ended') this.#endGrowing(event);
    this.#write(event);
  }

  /** Hands over what is left of streamed text now. */
  flush(): void {
    this.#flusher.flush();
    for (const { place } of this.#printing.values()) this.#writePrinted(place);
  }

  /** The conversation was read anew: what grew before is somebody else's. */
  forget(): void {
    if (this.#growing !== undefined) this.#flusher.partEnded(this.#growing.seq, this.#growing.idx);
    this.#growing = undefined;
    for (const { place } of this.#printing.values()) this.#dropPrinted(place);
  }

  #printed(place: Place): void {
    const key = keyOf(place);
    if (this.#printing.has(key)) return;
    this.#printing.set(key, { place, cancel: this.#clock.after(OUTPUT_WRITTEN_MS, () => this.#writePrinted(place)) });
  }

  #writePrinted(place: Place): void {
    this.#dropPrinted(place);
    const part = this.#partAt(place);
    if (part?.type === 'tool' && part.state === 'running') this.#write({ type: 'part_set', ...place, part });
  }

  /** It is written now, or is somebody else's to write. */
  #dropPrinted(place: Place): void {
    this.#printing.get(keyOf(place))?.cancel();
    this.#printing.delete(keyOf(place));
  }

  #endGrowing(next: TranscriptEvent): void {
    const growing = this.#growing;
    if (growing === undefined) return;
    this.#flusher.partEnded(growing.seq, growing.idx);
    this.#growing = undefined;
    if (next.type === 'part_set' && next.seq === growing.seq && next.idx === growing.idx) return;
    const part = this.#partAt(growing);
    if (part !== undefined) this.#write({ type: 'part_set', ...growing, part });
  }
}

function keyOf({ seq, idx }: Place): string {
  return `${seq}:${idx}`;
}
