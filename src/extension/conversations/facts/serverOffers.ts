import type { ServerOffer } from '../../../protocol/status';
import type { Clock } from '../../base/clock';
import { OFFERS_MS } from '../../base/limits';

/** What was found to offer where no server answers. It is looked for now and then, not at every try of the server. */
export class ServerOffers {
  readonly #find: (signal: AbortSignal) => Promise<readonly ServerOffer[]>;
  readonly #changed: () => void;
  readonly #clock: Clock;
  #sought: { readonly place: string; readonly at: number; readonly abort: AbortController } | undefined;
  #found: { readonly place: string; readonly offers: readonly ServerOffer[] } | undefined;

  /** `find` never rejects; `changed` is called when it has answered. */
  constructor(find: (signal: AbortSignal) => Promise<readonly ServerOffer[]>, changed: () => void, clock: Clock) {
    this.#find = find;
    this.#changed = changed;
    this.#clock = clock;
  }

  /** What was found last for this place. */
  at(place: string): readonly ServerOffer[] {
    return this.#found?.place === place ? this.#found.offers : [];
  }

  /** Looks for offers, unless that was done a moment ago. */
  seek(place: string): void {
    const now = this.#clock.now();
    if (this.#sought?.place === place && now - this.#sought.at < OFFERS_MS) return;
    this.#sought?.abort.abort();
    const abort = new AbortController();
    this.#sought = { place, at: now, abort };
    void this.#find(abort.signal).then((offers) => {
      if (abort.signal.aborted) return;
      this.#found = { place, offers };
      this.#changed();
    });
  }

  /** A server answers: the next time that none does, all is looked for anew. */
  forget(): void {
    this.#sought?.abort.abort();
    this.#sought = undefined;
    this.#found = undefined;
  }
}
