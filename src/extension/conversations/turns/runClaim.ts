import type { ConversationId } from '../../../protocol/ids';
import type { Change, WriteOutcome } from '../../storage/change';
import type { Store } from '../../storage/store';
import { StorageError } from '../../storage/storageError';

const TOO_SLOW = new StorageError(
  'transient',
  'SLOW',
  'run row not written in time',
  'The history file takes too long to write.',
);

const REFUSED = new StorageError('permanent', 'REFUSED', 'run row refused', 'The history file refused it.');

/** `othersRan`: the file holds more of the conversation than this window last read. */
export type Claim =
  | { readonly kind: 'granted'; readonly othersRan: boolean }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'failed'; readonly error: StorageError };

/** Gets the run of one conversation for this window, and knows its fence while it lasts. */
export class RunClaimer {
  readonly #store: Store;
  readonly #id: ConversationId;
  /** Whether the conversation was made in this window: then nobody else can know it before it is in the file. */
  readonly #madeHere: boolean;
  #stored: boolean;
  /** Highest fence of a run whose end this window has read or written itself. */
  #seenFence: number;
  #usedFence: number;
  #fence: number | undefined;
  #startOutcome: WriteOutcome | undefined;
  /** Runs that go on, or went on, without being in the file: by their fence, the place of their first message. */
  readonly #unwritten = new Map<number, number>();

  /** `seenFence`: undefined when the file does not hold the conversation. */
  constructor(store: Store, id: ConversationId, seenFence: number | undefined) {
    this.#store = store;
    this.#id = id;
    this.#seenFence = seenFence ?? 0;
    this.#usedFence = seenFence ?? 0;
    this.#stored = seenFence !== undefined;
    this.#madeHere = !this.#stored;
  }

  /** Whether the conversation's row is in the file or queued for it. */
  get stored(): boolean {
    return this.#stored;
  }

  /** The conversation's row is queued for the file now. */
  markStored(): void {
    this.#stored = true;
  }

  /** Highest fence that this window has asked for, written or not. */
  get usedFence(): number {
    return this.#usedFence;
  }

  /** The fence of the run that goes on here. */
  get fence(): number | undefined {
    return this.#fence;
  }

  /**
   * Asks for the run. `write` queues a change of the conversation, `gate` waits a while for what is queued. A failing file
   * stops only a conversation that other windows may know, too.
   */
  async claim(write: (change: Change) => void, gate: () => Promise<boolean>): Promise<Claim> {
    if (!this.#stored) {
      this.#stored = true;
      this.#begin(this.#usedFence + 1, this.#seenFence, write);
      return { kind: 'granted', othersRan: false };
    }
    const claim = await this.#store.claimRun(this.#id);
    if (claim.kind === 'elsewhere') return claim;
    if (claim.kind === 'failed') {
      if (!this.#madeHere) return claim;
      this.#begin(this.#usedFence + 1, this.#seenFence, write);
      return { kind: 'granted', othersRan: false };
    }
    const othersRan = claim.fence > this.#seenFence + 1;
    // What others wrote until now is read as soon as the run is had.
    this.#begin(Math.max(claim.fence, this.#usedFence + 1), claim.fence - 1, write);
    await gate();
    switch (this.#startOutcome) {
      case 'written':
        return { kind: 'granted', othersRan };
      case 'fenced':
        this.#fence = undefined;
        return { kind: 'elsewhere' };
      case 'rejected':
      case undefined:
        // What others wrote cannot be followed by what cannot be written.
        if (this.#madeHere && !othersRan) return { kind: 'granted', othersRan };
        // A row that may still be written later must not stand in anybody's way then.
        if (this.#startOutcome === undefined) write({ type: 'run_ended' });
        this.#fence = undefined;
        return {
          kind: 'failed',
          error: this.#startOutcome === 'rejected' ? REFUSED : (this.#store.failure?.error ?? TOO_SLOW),
        };
    }
  }

  /** The write of `run_started` that {@link claim} asked for. */
  started(fence: number, write: Promise<WriteOutcome>): void {
    this.#startOutcome = undefined;
    void write.then((outcome) => {
      if (fence === this.#usedFence) this.#startOutcome = outcome;
      if (outcome === 'written') this.#unwritten.delete(fence);
      // One that is fenced may stand for a run of another window under the same number; and before one that is written
      // later than it was asked for, others may have run: all of those are yet to be read.
      if (outcome === 'written' && fence === this.#seenFence + 1) this.#seenFence = fence;
    });
  }

  /** A turn begins under {@link fence}, with the message at `firstSeq`. */
  opened(firstSeq: number): void {
    if (this.#fence !== undefined && this.#startOutcome !== 'written') this.#unwritten.set(this.#fence, firstSeq);
  }

  /** Place of the first message of turns that are not in the file yet, and may never be; undefined: there is none. */
  get unwrittenFrom(): number | undefined {
    const seqs = [...this.#unwritten.values()];
    return seqs.length === 0 ? undefined : Math.min(...seqs);
  }

  /** They are kept elsewhere. */
  forgetUnwritten(): void {
    this.#unwritten.clear();
  }

  /** The run has ended. */
  ended(): void {
    this.#fence = undefined;
  }

  /** The conversation was read anew, with the ends of all runs up to this fence. */
  learnt(seenFence: number): void {
    this.#seenFence = Math.max(this.#seenFence, seenFence);
    this.#usedFence = Math.max(this.#usedFence, seenFence);
  }

  /** Whether another window ran the conversation since this one last read it. Throws {@link StorageError}. */
  async othersRan(): Promise<boolean> {
    return (await this.#store.reader.lastFence(this.#id)) > this.#seenFence;
  }

  #begin(fence: number, seen: number, write: (change: Change) => void): void {
    this.#fence = fence;
    this.#usedFence = fence;
    write({ type: 'run_started', fence, seen });
  }
}
