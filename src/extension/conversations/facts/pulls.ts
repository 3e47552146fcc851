import type { PullState } from '../../../protocol/status';
import type { Reply } from '../../../protocol/wire';
import type { Clock } from '../../base/clock';
import { PULL_UPDATE_MS, PULL_WORDS_CHARS, PULLS_AT_ONCE } from '../../base/limits';
import { cutAt } from '../../base/text';
import type { ModelClient, ModelFailure } from '../../ollama/modelClient';
import { isModelName, modelKey } from '../../ollama/modelName';
import { PullProgress } from './pullProgress';

/** What the pulls need of the window. */
export interface PullsOwner {
  client(): ModelClient;
  /** {@link Pulls.states} is another one now. At most every {@link PULL_UPDATE_MS} while nothing but figures change. */
  changed(): void;
  /** The server holds a model that it did not hold: what is known of the models is old. */
  arrived(model: string): Promise<void>;
}

interface Pull {
  /** As the person wrote it. */
  readonly model: string;
  readonly abort: AbortController;
  readonly progress: PullProgress;
  /** Why it failed, in a sentence. */
  failed?: string;
}

/** Models on their way to the server. They end with the window; what has arrived stays on the server. */
export class Pulls {
  readonly #owner: PullsOwner;
  readonly #clock: Clock;
  /** By the one text for all names of a model, in the order in which they were begun. */
  readonly #pulls = new Map<string, Pull>();
  #told: number | undefined;
  #cancelTelling: (() => void) | undefined;

  constructor(owner: PullsOwner, clock: Clock) {
    this.#owner = owner;
    this.#clock = clock;
  }

  get states(): readonly PullState[] {
    return [...this.#pulls.values()].map(({ model, progress, failed }) =>
      failed === undefined ? progress.state(model) : { model, kind: 'failed', why: failed },
    );
  }

  /** Makes the server get a model. One that is on its way goes on; a failed one is tried again. */
  start(written: string): Reply {
    const model = written.trim();
    if (!isModelName(model))
      return { ok: false, message: 'This is no name of a model. Write it like qwen3:8b or someone/model:tag.' };
    const key = modelKey(model);
    const before = this.#pulls.get(key);
    if (before !== undefined && before.failed === undefined) return { ok: true };
    const running = [...this.#pulls.values()].filter(({ failed }) => failed === undefined).length;
    if (running >= PULLS_AT_ONCE)
      return { ok: false, message: `${running} models are on their way already. Wait for one, or cancel one.` };
    const pull = { model, abort: new AbortController(), progress: new PullProgress(this.#clock.now()) };
    this.#pulls.delete(key);
    this.#pulls.set(key, pull);
    this.#tell();
    void this.#follow(key, pull);
    return { ok: true };
  }

  /** Stops getting a model, or takes a failed try off the list. */
  cancel(model: string): void {
    const key = modelKey(model);
    this.#pulls.get(key)?.abort.abort();
    if (this.#pulls.delete(key)) this.#tell();
  }

  /** Stops all of them: the window ends, or another server is used. */
  clear(): void {
    for (const { abort } of this.#pulls.values()) abort.abort();
    this.#pulls.clear();
    this.#cancelTelling?.();
    this.#cancelTelling = undefined;
  }

  /** Never rejects. */
  async #follow(key: string, pull: Pull): Promise<void> {
    const failure = await this.#ending(pull);
    if (pull.abort.signal.aborted) return;
    if (failure !== undefined) pull.failed = sentenceOf(failure, pull.model);
    // The row stays until the models are known: a moment without both would look as if nothing had come of it.
    else await this.#owner.arrived(pull.model);
    // It may have been cancelled, and even begun anew, in that moment.
    if (this.#pulls.get(key) !== pull) return;
    if (failure === undefined) this.#pulls.delete(key);
    this.#tell();
  }

  /** How it ended; undefined: the server holds the model, or nobody wants it any more. */
  async #ending({ model, abort, progress }: Pull): Promise<ModelFailure | undefined> {
    for await (const event of this.#owner.client().pull(model, abort.signal)) {
      if (abort.signal.aborted) return undefined;
      switch (event.type) {
        case 'progress':
          progress.add(event, this.#clock.now());
          this.#tellSoon();
          break;
        case 'failed':
          return event.failure;
        case 'done':
        case 'aborted':
          return undefined;
      }
    }
    return { reason: 'cut_off', detail: '' };
  }

  #tell(): void {
    this.#cancelTelling?.();
    this.#cancelTelling = undefined;
    this.#told = this.#clock.now();
    this.#owner.changed();
  }

  #tellSoon(): void {
    if (this.#cancelTelling !== undefined) return;
    const since = this.#clock.now() - (this.#told ?? 0);
    if (since >= PULL_UPDATE_MS) this.#tell();
    else this.#cancelTelling = this.#clock.after(PULL_UPDATE_MS - since, () => this.#tell());
  }
}

function sentenceOf({ reason, detail }: ModelFailure, model: string): string {
  if (reason === 'unreachable') return 'Ollama does not answer.';
  if (reason === 'cut_off' || reason === 'stalled')
    return 'The connection to Ollama broke. What has arrived is kept; pull it again to go on.';
  if (reason === 'model_not_found') return `Ollama found no model named ${model}.`;
  if (detail === '') return 'Ollama could not get it.';
  return `Ollama could not get it: ${cutAt(detail.split('\n', 1)[0] ?? '', PULL_WORDS_CHARS)}`;
}
