import type { ConversationId } from '../../protocol/ids';
import type { Change, WriteOutcome } from '../storage/change';
import type { Store } from '../storage/store';
import { StorageError } from '../storage/storageError';

const TOO_SLOW = new StorageError(
  'transient',
  'SLOW',
  'run row not written in time',
  'The history file takes too long to write.',
);

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
  #granted = false;

  /** `lastFence`: undefined when the file does not hold the conversation. */
  constructor(store: Store, id: ConversationId, lastFence: number | undefined) {
    this.#store = store;
    this.#id = id;
    this.#seenFence = lastFence ?? 0;
    this.#usedFence = lastFence ?? 0;
    this.#stored = lastFence !== undefined;
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

  /** Whether a turn goes on under {@link fence}, written or not. */
  get granted(): boolean {
    return this.#granted;
  }

  /** The fence of the run that goes on here. */
  get fence(): number | undefined {
    return this.#fence;
  }

  /**
   * Asks for the run. `write` queues a change of the conversation, `gate` waits a while for what is queued. A failing
   * file stops only a conversation that other windows may know, too.
   */
  async claim(write: (change: Change) => void, gate: () => Promise<void>): Promise<Claim> {
    const claim = await this.#claim(write, gate);
    this.#granted = claim.kind === 'granted';
    return claim;
  }

  async #claim(write: (change: Change) => void, gate: () => Promise<void>): Promise<Claim> {
    if (!this.#stored) {
      this.#stored = true;
      this.#begin(this.#usedFence + 1, write);
      return { kind: 'granted', othersRan: false };
    }
    const claim = await this.#store.claimRun(this.#id);
    if (claim.kind === 'elsewhere') return claim;
    if (claim.kind === 'failed') {
      if (!this.#madeHere) return claim;
      this.#begin(this.#usedFence + 1, write);
      return { kind: 'granted', othersRan: false };
    }
    const othersRan = claim.closed || claim.fence > this.#seenFence + 1;
    this.#begin(Math.max(claim.fence, this.#usedFence + 1), write);
    await gate();
    switch (this.#startOutcome) {
      case 'written':
        return { kind: 'granted', othersRan };
      case 'fenced':
        this.#fence = undefined;
        return { kind: 'elsewhere' };
      case 'rejected':
      case undefined:
        if (this.#madeHere) return { kind: 'granted', othersRan };
        write({ type: 'run_ended' }); // The row may still be written later: then it must not stand in anybody's way.
        this.#fence = undefined;
        return { kind: 'failed', error: this.#store.failure?.error ?? TOO_SLOW };
    }
  }

  /** The write of `run_started` that {@link claim} asked for. */
  started(fence: number, write: Promise<WriteOutcome>): void {
    this.#startOutcome = undefined;
    void write.then((outcome) => {
      this.#startOutcome = outcome;
      // One that is fenced may stand for a run of another window under the same number; and before one that is written
      // later than it was asked for, others may have run: all of those are yet to be read.
      if (outcome === 'written' && fence === this.#seenFence + 1) this.#seenFence = fence;
    });
  }

  /** The run has ended. */
  ended(): void {
    this.#granted = false;
    this.#fence = undefined;
  }

  /** The conversation was read anew. */
  learnt(lastFence: number): void {
    this.#seenFence = Math.max(this.#seenFence, lastFence);
    this.#usedFence = Math.max(this.#usedFence, lastFence);
  }

  /** Whether another window ran the conversation since this one last read it. Throws {@link StorageError}. */
  async othersRan(): Promise<boolean> {
    return (await this.#store.reader.lastFence(this.#id)) > this.#seenFence;
  }

  #begin(fence: number, write: (change: Change) => void): void {
    write({ type: 'run_started', fence });
    this.#fence = fence;
    this.#usedFence = fence;
  }
}
