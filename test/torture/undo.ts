/** What must be put right however the run ends, the exit of the process included: therefore all of it is synchronous. */
export class Undo {
  readonly #steps = new Set<() => void>();

  constructor() {
    process.on('exit', this.#onExit);
  }

  /** The answer does it now, once. */
  add(step: () => void): () => void {
    this.#steps.add(step);
    return () => {
      if (this.#steps.delete(step)) step();
    };
  }

  all(): void {
    process.off('exit', this.#onExit);
    this.#onExit();
  }

  /** Newest first. One that fails must not keep the others from being done. */
  readonly #onExit = (): void => {
    for (const step of [...this.#steps].reverse()) {
      this.#steps.delete(step);
      try {
        step();
      } catch (error) {
        process.stderr.write(`Could not be undone: ${String(error)}\n`);
      }
    }
  };
}
