import { ulid } from 'ulid';
import type { TranscriptEvent } from '../../protocol/event';
import type { StreamId } from '../../protocol/ids';
import type { ConversationStatus } from '../../protocol/status';
import { fold, type Transcript } from '../../protocol/transcript';

/** Told of everything that happens, synchronously and in order. */
export interface LiveListener {
  /** Event number `n` of the stream; it is folded already. */
  event(event: TranscriptEvent): void;
  status(status: ConversationStatus): void;
  /** The conversation was read anew from the file: another stream begins. */
  replaced(): void;
}

/** A transcript in memory, the numbered stream of events that made it, and those who follow that stream. */
export class LiveTranscript {
  readonly #listeners = new Set<LiveListener>();
  #current: Transcript;
  #stream = newStream();
  #n = 0;

  constructor(transcript: Transcript) {
    this.#current = transcript;
  }

  get current(): Transcript {
    return this.#current;
  }

  get stream(): StreamId {
    return this.#stream;
  }

  /** Number of the last event of the stream. */
  get n(): number {
    return this.#n;
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Folds an event and shows it, after `before` was called. False, and nothing happened: it does not follow. */
  fold(event: TranscriptEvent, before: () => void = () => undefined): boolean {
    const folded = fold(this.#current, event);
    if (!folded.ok) return false;
    before();
    this.#current = folded.transcript;
    this.#n += 1;
    for (const listener of this.#listeners) listener.event(event);
    return true;
  }

  /** More of the same conversation is loaded, before what was: no event, for views load their own pages. */
  extend(longer: Transcript): void {
    this.#current = longer;
  }

  /** Begins another stream. */
  replace(transcript: Transcript): void {
    this.#current = transcript;
    this.#stream = newStream();
    this.#n = 0;
    for (const listener of this.#listeners) listener.replaced();
  }

  post(status: ConversationStatus): void {
    for (const listener of this.#listeners) listener.status(status);
  }
}

function newStream(): StreamId {
  return ulid() as StreamId;
}
