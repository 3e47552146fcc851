import type { Draft } from '../../../protocol/frame';
import type { Clock } from '../../base/clock';
import { DRAFT_MS } from '../../base/limits';
import type { Change } from '../../storage/change';

/** What stands in the composer of a conversation: kept in memory at once, and in the file once it has rested. */
export class DraftKeeper {
  readonly #write: (change: Change) => void;
  readonly #clock: Clock;
  #draft: Draft | undefined;
  #cancel: (() => void) | undefined;

  constructor(draft: Draft | undefined, write: (change: Change) => void, clock: Clock) {
    this.#draft = draft;
    this.#write = write;
    this.#clock = clock;
  }

  get current(): Draft | undefined {
    return this.#draft;
  }

  /** The one that comes last wins, whatever the clock of its page says. */
  set(draft: Draft): void {
    if (draft.text === (this.#draft?.text ?? '')) return;
    this.#draft = draft;
    this.#cancel ??= this.#clock.after(DRAFT_MS, () => this.flush());
  }

  /** Hands over what was not written yet, now. */
  flush(): void {
    if (this.#cancel === undefined) return;
    this.#cancel();
    this.#cancel = undefined;
    if (this.#draft !== undefined) this.#write({ type: 'draft_set', ...this.#draft });
  }
}
