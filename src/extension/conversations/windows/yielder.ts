import type { TranscriptEvent } from '../../../protocol/event';
import type { Clock } from '../../base/clock';
import { YIELD_TOOL_MS } from '../../base/limits';

/**
 * Chooses the moment at which a run is yielded to a window that asked for it: at once, for text that was cut is kept; but
 * a tool that runs may end first, if it is quick, so that its result is known.
 */
export class Yielder {
  readonly #yieldNow: () => void;
  readonly #cancel: () => void;

  constructor(toolRuns: boolean, yieldNow: () => void, clock: Clock) {
    this.#yieldNow = yieldNow;
    this.#cancel = clock.after(toolRuns ? YIELD_TOOL_MS : 0, yieldNow);
  }

  /** Something was recorded: a tool that has ended is a border. */
  recorded(event: TranscriptEvent): void {
    if (event.type !== 'part_set' || event.part.type !== 'tool' || event.part.state === 'running') return;
    this.#cancel();
    this.#yieldNow();
  }

  dispose(): void {
    this.#cancel();
  }
}
