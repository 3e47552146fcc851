import type { SaveState } from '../../../protocol/status';
import type { Clock } from '../../base/clock';
import { GATE_MS } from '../../base/limits';
import type { WriteOutcome } from '../../storage/change';
import type { WriteFailure } from '../../storage/writing/writer';

/** What the watch asks of the store. */
export interface SaveFailures {
  readonly failure: WriteFailure | undefined;
  onFailureChange(listener: () => void): () => void;
}

const REJECTED = 'The history file refused changes. It keeps them aside, in its table of rejected changes.';

/** Follows the writes of one conversation: what waits, since when it cannot be written, and the gates before effects. */
export class SaveWatch {
  readonly #store: SaveFailures;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #stopListening: () => void;
  readonly #waiting = new Set<Promise<WriteOutcome>>();
  /** Since when (epoch ms) something waits that could not be written; undefined while all is well. */
  #unsavedSince: number | undefined;
  /** Those of `#waiting` that add a message. */
  readonly #messages = new Set<Promise<WriteOutcome>>();
  /** Ends the wait of everything that waits at {@link gate}. */
  readonly #atGate = new Set<() => void>();
  /** Changes that the history file will never take as they are, those of earlier windows included. */
  #rejected: number;

  /** `changed` is called when the conversation becomes unsaved or saved again. */
  constructor(store: SaveFailures, clock: Clock, rejected: number, changed: () => void) {
    this.#rejected = rejected;
    this.#store = store;
    this.#clock = clock;
    this.#changed = changed;
    this.#stopListening = store.onFailureChange(() => this.#look());
  }

  /** Counts a write until it settles. */
  follow(write: Promise<WriteOutcome>, addsMessage: boolean): void {
    this.#waiting.add(write);
    if (addsMessage) this.#messages.add(write);
    void write.then((outcome) => {
      this.#waiting.delete(write);
      this.#messages.delete(write);
      if (outcome === 'rejected') {
        this.#rejected += 1;
        this.#changed();
      }
      this.#look();
    });
    this.#look();
  }

  /** Whether the file has answered to everything that was done here. */
  get isSettled(): boolean {
    return this.#waiting.size === 0;
  }

  get state(): SaveState {
    if (this.#unsavedSince !== undefined) {
      const why = this.#store.failure?.error.sentence ?? 'Writing to the history file takes long.';
      return { kind: 'unsaved', since: this.#unsavedSince, waiting: Math.max(1, this.#messages.size), why };
    }
    if (this.#rejected > 0) return { kind: 'rejected', count: this.#rejected, why: REJECTED };
    return { kind: this.#waiting.size > 0 ? 'saving' : 'saved' };
  }

  /**
   * Resolves when everything that waits now is settled, at the latest after {@link GATE_MS}, and at once while the
   * conversation is unsaved already: a failing disk must not stop the chat. Answers whether all of it is in the file: what
   * is refused there for good is not.
   */
  async gate(): Promise<boolean> {
    if (this.#unsavedSince !== undefined) return false;
    if (this.#waiting.size === 0) return true;
    let cancel = (): void => undefined;
    const timeOut = new Promise<'late'>((resolve) => {
      cancel = this.#clock.after(GATE_MS, () => resolve('late'));
    });
    let stopWaiting = (): void => undefined;
    const failing = new Promise<'late'>((resolve) => {
      stopWaiting = () => resolve('late');
    });
    // Calls that only read stand at the gate side by side.
    this.#atGate.add(stopWaiting);
    const settled = await Promise.race([Promise.all(this.#waiting), timeOut, failing]);
    cancel();
    this.#atGate.delete(stopWaiting);
    if (settled === 'late') this.#mark();
    return settled !== 'late' && settled.every((outcome) => outcome === 'written');
  }

  dispose(): void {
    this.#stopListening();
  }

  #look(): void {
    if (this.#waiting.size === 0) {
      if (this.#unsavedSince === undefined) return;
      this.#unsavedSince = undefined;
      this.#changed();
    } else if (this.#store.failure !== undefined) {
      this.#mark();
    }
  }

  #mark(): void {
    this.#unsavedSince ??= this.#store.failure?.since ?? this.#clock.now();
    for (const stopWaiting of this.#atGate) stopWaiting();
    this.#changed();
  }
}
