import type { LoadedModel, ModelInfo } from '../../src/protocol/status';
import { failed, succeeded, type Result } from '../../src/extension/base/result';
import type {
  ModelClient,
  ModelEvent,
  ModelFailure,
  PullEvent,
  QuestionFailure,
  ServerDescription,
} from '../../src/extension/ollama/modelClient';

const DOWN: ModelFailure = { reason: 'unreachable', detail: 'connect ECONNREFUSED' };

/** One pull that a test plays: what it sends arrives as soon as it is read. */
export class ScriptedPull {
  readonly model: string;
  readonly signal: AbortSignal;
  readonly #waiting: PullEvent[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  constructor(model: string, signal: AbortSignal) {
    this.model = model;
    this.signal = signal;
    signal.addEventListener('abort', () => this.#notify());
  }

  /** Sends an event and lets everybody read it. */
  async send(event: PullEvent): Promise<void> {
    this.#waiting.push(event);
    await this.#read();
  }

  /** Ends the stream without a word. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#read();
  }

  async *events(): AsyncGenerator<PullEvent, void, undefined> {
    for (;;) {
      if (this.signal.aborted) {
        yield { type: 'aborted' };
        return;
      }
      const event = this.#waiting.shift();
      if (event !== undefined) {
        yield event;
        if (event.type !== 'progress') return;
      } else if (this.#ended) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  async #read(): Promise<void> {
    this.#notify();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }

  #notify(): void {
    this.#wake?.();
  }
}

/** A model client without a server: it answers what a test says, and counts what it is asked. */
export class ScriptedClient implements ModelClient {
  /** Undefined: nothing answers. */
  models: readonly ModelInfo[] | undefined = [];
  loaded: readonly LoadedModel[] | undefined = [];
  readonly pulls: ScriptedPull[] = [];
  asked = 0;

  async *chat(): AsyncGenerator<ModelEvent, void, undefined> {
    yield { type: 'failed', failure: DOWN };
  }

  listModels(): Promise<Result<ServerDescription, QuestionFailure>> {
    this.asked += 1;
    const { models } = this;
    return Promise.resolve(models === undefined ? failed(DOWN) : succeeded({ version: '1', models }));
  }

  describe(): Promise<Result<never, QuestionFailure>> {
    return Promise.resolve(failed(DOWN));
  }

  listLoaded(): Promise<Result<readonly LoadedModel[], QuestionFailure>> {
    return Promise.resolve(this.loaded === undefined ? failed(DOWN) : succeeded(this.loaded));
  }

  pull(model: string, signal: AbortSignal): AsyncIterable<PullEvent> {
    const pull = new ScriptedPull(model, signal);
    this.pulls.push(pull);
    return pull.events();
  }

  load(): Promise<Result<undefined, QuestionFailure>> {
    return Promise.resolve(succeeded(undefined));
  }

  unload(): Promise<Result<undefined, QuestionFailure>> {
    return Promise.resolve(succeeded(undefined));
  }
}
