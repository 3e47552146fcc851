import type { ToolOutput } from '../../protocol/part';
import type { Clock } from '../base/clock';
import { OUTPUT_SHOWN_MS } from '../base/limits';

/** What a call prints while it runs, shown as often as the eye can follow; the last value is always shown. */
export class LiveOutput {
  readonly #clock: Clock;
  readonly #show: (output: ToolOutput) => void;
  #latest: ToolOutput | undefined;
  #cancel: (() => void) | undefined;
  #ended = false;

  constructor(clock: Clock, show: (output: ToolOutput) => void) {
    this.#clock = clock;
    this.#show = show;
  }

  push(output: ToolOutput): void {
    if (this.#ended) return;
    this.#latest = output;
    if (this.#cancel === undefined) this.#showLatest();
  }

  /** The call does not run any more: what comes now is nobody's. `unanswered`: what was printed is all there will be. */
  end(unanswered: boolean): void {
    if (unanswered && this.#latest !== undefined) this.#show(this.#latest);
    this.#ended = true;
    this.#cancel?.();
  }

  #showLatest(): void {
    this.#cancel = undefined;
    if (this.#latest === undefined) return;
    this.#show(this.#latest);
    this.#latest = undefined;
    this.#cancel = this.#clock.after(OUTPUT_SHOWN_MS, () => this.#showLatest());
  }
}
