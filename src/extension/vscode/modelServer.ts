import type { ModelAbilities } from '../../protocol/status';
import type { ModelClient } from '../ollama/modelClient';
import { OllamaClient } from '../ollama/ollamaClient';
import { systemClock } from '../base/clock';
import type { Log } from '../base/log';
import { failed, type Result } from '../base/result';
import { ollamaAddress } from './settings';

/** The model server that the settings name now, and what is known of its models. */
export class ModelServer {
  readonly #log: Log;
  #current: { readonly baseUrl: string; readonly client: ModelClient } | undefined;
  readonly #abilities = new Map<string, ModelAbilities>();

  constructor(log: Log) {
    this.#log = log.sub('ollama');
  }

  /** Host as the person would name it, and a client for it. A setting that is no address gives one that says so. */
  current(): { readonly host: string; readonly client: ModelClient } {
    const address = ollamaAddress();
    if (!address.ok) return { host: 'the address in the settings', client: unusable(address.failure) };
    const { baseUrl, display } = address.value;
    if (this.#current?.baseUrl !== baseUrl) {
      this.#current = { baseUrl, client: new OllamaClient(baseUrl, systemClock, this.#log) };
      this.#abilities.clear();
    }
    return { host: display, client: this.#current.client };
  }

  /** What the model can do, asked once per server; nothing when the server does not say now. */
  async abilities(model: string, signal: AbortSignal): Promise<ModelAbilities> {
    const { client } = this.current();
    const known = this.#abilities.get(model);
    if (known !== undefined) return known;
    const answer = await client.describe(model, signal);
    if (!answer.ok) return {};
    this.#abilities.set(model, answer.value);
    return answer.value;
  }
}

function unusable(words: string): ModelClient {
  const failure = { reason: 'unreachable', detail: words } as const;
  const answer = (): Promise<Result<never, typeof failure>> => Promise.resolve(failed(failure));
  return {
    async *chat() {
      yield { type: 'failed', failure };
    },
    listModels: answer,
    describe: answer,
    listLoaded: answer,
    async *pull() {
      yield { type: 'failed', failure };
    },
    load: answer,
    unload: answer,
  };
}
