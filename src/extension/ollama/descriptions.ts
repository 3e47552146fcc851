import type { ModelInfo } from '../../protocol/status';
import { MODEL_QUESTIONS_AT_ONCE, MODEL_QUESTIONS_MS } from '../base/limits';
import { readDescription, type ListedModel, type ModelDescription } from './description';
import type { ServerConnection } from './serverConnection';

/**
 * What lists of models leave out: before 0.30 they name no capabilities, and not all name the trained window. It is
 * asked for model by model, and once only for one name and digest.
 */
export class Descriptions {
  readonly #server: ServerConnection;
  #known = new Map<string, ModelDescription>();

  constructor(server: ServerConnection) {
    this.#server = server;
  }

  /** The models with all that is known of them within `MODEL_QUESTIONS_MS`; never fails. */
  async complete(models: readonly ListedModel[], signal: AbortSignal): Promise<readonly ModelInfo[]> {
    // What is no longer in the list need not be known.
    const kept = models.flatMap((model) => {
      const known = this.#known.get(keyOf(model));
      return known === undefined ? [] : [[keyOf(model), known] as const];
    });
    this.#known = new Map(kept);
    const lacking = models.filter((model) => !isComplete(model.info) && !this.#known.has(keyOf(model)));
    if (lacking.length > 0) await this.#askFor(lacking, signal);
    return models.map((model) => ({ ...this.#known.get(keyOf(model)), ...model.info }));
  }

  async #askFor(models: readonly ListedModel[], signal: AbortSignal): Promise<void> {
    const asking = new AbortController();
    const stop = (): void => asking.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const cancel = this.#server.clock.after(MODEL_QUESTIONS_MS, stop);
    const left = [...models];
    const askOneByOne = async (): Promise<void> => {
      for (let model = left.shift(); model !== undefined && !asking.signal.aborted; model = left.shift()) {
        const { name } = model.info;
        const answer = await this.#server.ask((client) => client.show({ model: name }), readDescription, asking.signal);
        if (answer.ok) this.#known.set(keyOf(model), answer.value);
      }
    };
    try {
      await Promise.all(Array.from({ length: MODEL_QUESTIONS_AT_ONCE }, askOneByOne));
    } finally {
      cancel();
      signal.removeEventListener('abort', stop);
    }
  }
}

function isComplete(info: ModelInfo): boolean {
  return info.tools !== undefined && info.trainedContext !== undefined;
}

function keyOf({ info, digest }: ListedModel): string {
  return JSON.stringify([info.name, digest]);
}
