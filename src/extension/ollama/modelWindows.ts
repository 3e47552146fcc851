/**
 * The window (tokens) that each model runs with. A server loads a model anew for every other value, so all requests of
 * this window of the editor ask for the same one, whichever conversation they come from.
 */
export class ModelWindows {
  readonly #windows = new Map<string, number>();

  /**
   * The window for a turn that begins. `wanted` is taken when nothing else runs with the model (`alone`): turns that go
   * on keep what they began with, and a changed setting waits for them.
   */
  take(model: string, wanted: number, alone: boolean): number {
    const now = this.#windows.get(model);
    const window = now === undefined || alone ? wanted : now;
    this.#windows.set(model, window);
    return window;
  }
}
