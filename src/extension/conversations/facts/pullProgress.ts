import type { PullState } from '../../../protocol/status';
import type { PullEvent } from '../../ollama/modelClient';
import { PULL_SAMPLE_MS, PULL_SMOOTHING_MS } from '../../base/limits';

/** How far one layer is, in bytes. */
interface Layer {
  readonly completed: number;
  readonly total: number;
}

/** Adds up what a server says of the layers of a model, one after the other. Times are epoch milliseconds. */
export class PullProgress {
  readonly #layers = new Map<string, Layer>();
  #status = '';
  /** Bytes that arrived since the sample of the rate was begun. */
  #arrived = 0;
  #sampledAt: number;
  #rate: number | undefined;

  constructor(now: number) {
    this.#sampledAt = now;
  }

  add({ status, digest, completed = 0, total }: Extract<PullEvent, { type: 'progress' }>, now: number): void {
    this.#status = status;
    if (digest !== undefined && total !== undefined) {
      const known = this.#layers.get(digest);
      const reached = Math.min(completed, total);
      // What was there before this pull arrived at no rate: a layer counts from where it is first seen.
      if (known !== undefined) this.#arrived += Math.max(0, reached - known.completed);
      this.#layers.set(digest, { completed: reached, total });
    }
    this.#sample(now);
  }

  state(model: string): PullState {
    const layers = [...this.#layers.values()];
    const sizes = {
      completed: layers.reduce((sum, { completed }) => sum + completed, 0),
      total: layers.reduce((sum, { total }) => sum + total, 0),
    };
    return {
      model,
      kind: 'pulling',
      status: this.#status,
      ...(layers.length === 0 ? {} : sizes),
      ...(this.#rate === undefined ? {} : { bytesPerSecond: Math.round(this.#rate) }),
    };
  }

  /** The older a figure, the less it weighs: a rate that jumps tells nobody how long it will take. */
  #sample(now: number): void {
    const ms = now - this.#sampledAt;
    if (ms < PULL_SAMPLE_MS) return;
    const rate = (this.#arrived / ms) * 1_000;
    const weight = 1 - Math.exp(-ms / PULL_SMOOTHING_MS);
    // Nothing is known before the first bytes: a server looks at what it has, too.
    if (this.#rate !== undefined) this.#rate += (rate - this.#rate) * weight;
    else if (this.#arrived > 0) this.#rate = rate;
    this.#arrived = 0;
    this.#sampledAt = now;
  }
}
