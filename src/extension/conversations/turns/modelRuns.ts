/** What goes on in the window with each model: a conversation may choose another one while its turn goes on. */
export class ModelRuns {
  readonly #running = new Map<object, string>();

  /** Something began with the model; the answer ends it. */
  begin(model: string): () => void {
    const run = {};
    this.#running.set(run, model);
    return () => this.#running.delete(run);
  }

  with(model: string): number {
    return [...this.#running.values()].filter((one) => one === model).length;
  }
}
