import type { ModelAbilities, ModelInfo, ServerState } from '../../protocol/status';
import type { Windows } from '../agent/contextMeter';
import { systemClock } from '../base/clock';
import type { Log } from '../base/log';
import { failed, type Result } from '../base/result';
import type { ModelClient, ThinkLevel } from '../ollama/modelClient';
import { ModelWindows } from '../ollama/modelWindows';
import { OllamaClient } from '../ollama/ollamaClient';
import { thinkValue } from '../ollama/thinkLevel';
import type { ServerHeaders } from './serverHeaders';
import { contextLength, ollamaAddress, stallTimeoutMs, thinking } from './settings';

/** The model server that the settings name now, and what is known of its models. */
export class ModelServer {
  readonly #log: Log;
  readonly #headers: ServerHeaders;
  readonly #windows = new ModelWindows();
  #current:
    { readonly baseUrl: string; readonly stallMs: number | undefined; readonly client: ModelClient } | undefined;
  /** What the server said last of itself and its models. */
  #said: { readonly version: string; readonly models: readonly ModelInfo[] } = { version: '', models: [] };
  /** Of models that no list describes. */
  readonly #abilities = new Map<string, ModelAbilities>();

  constructor(headers: ServerHeaders, log: Log) {
    this.#headers = headers;
    this.#log = log.sub('ollama');
  }

  /** Host as the person would name it, and a client for it. A setting that is no address gives one that says so. */
  current(): { readonly host: string; readonly client: ModelClient } {
    const address = ollamaAddress();
    if (!address.ok) return { host: 'the address in the settings', client: unusable(address.failure) };
    const { baseUrl, display } = address.value;
    const stallMs = stallTimeoutMs();
    if (this.#current?.baseUrl !== baseUrl || this.#current.stallMs !== stallMs) {
      if (this.#current?.baseUrl !== baseUrl) this.#forget();
      this.#current = { baseUrl, stallMs, client: this.clientFor(baseUrl, stallMs) };
    }
    return { host: display, client: this.#current.client };
  }

  /** A client for any address, with the headers that the person has set for it. */
  clientFor(baseUrl: string, stallMs?: number): ModelClient {
    return new OllamaClient(baseUrl, systemClock, this.#log, {
      headers: () => this.#headers.of(baseUrl),
      ...(stallMs === undefined ? {} : { stallMs }),
    });
  }

  /** Takes what the list of models says: a model that was replaced under its name is another one. */
  learn(server: ServerState): void {
    if (server.kind !== 'up' || server.host !== this.current().host || server.models === this.#said.models) return;
    this.#said = server;
    this.#abilities.clear();
  }

  /** What the model can do, by the list of models or else asked for; nothing when the server does not say now. */
  async abilities(model: string, signal: AbortSignal): Promise<ModelAbilities> {
    const { client } = this.current();
    const listed = this.#listed(model);
    const known = listed?.tools === undefined ? this.#abilities.get(model) : listed;
    if (known !== undefined) return known;
    const answer = await client.describe(model, signal);
    if (!answer.ok) return listed ?? {};
    // Another server may be used by now, and its model of this name is another one.
    if (this.current().client === client) this.#abilities.set(model, answer.value);
    return answer.value;
  }

  /** How the model is to be told to think, by the setting and by what it can; undefined: not at all. */
  think(model: string, abilities: ModelAbilities): boolean | ThinkLevel | undefined {
    return thinkValue(thinking(), { ...this.#listed(model), ...abilities, name: model }, this.#said.version);
  }

  /** The window (tokens) for a turn that begins, the setting's as far as the model was trained. `alone`: see {@link ModelWindows}. */
  window(model: string, abilities: ModelAbilities, alone: boolean): number {
    return this.#windows.take(model, wantedWindow(abilities), alone);
  }

  /** The windows (tokens) of a model as far as the server has spoken of it; nothing is asked for that. */
  windowsOf(model: string): Pick<Windows, 'asked' | 'trained'> {
    // Another server's models are not this one's.
    this.current();
    const [listed, asked] = [this.#listed(model), this.#abilities.get(model)];
    if (listed === undefined && asked === undefined) return {};
    const abilities = { ...listed, ...asked };
    const { trainedContext: trained } = abilities;
    return { asked: wantedWindow(abilities), ...(trained === undefined ? {} : { trained }) };
  }

  #listed(model: string): ModelInfo | undefined {
    return this.#said.models.find(({ name }) => name === model);
  }

  #forget(): void {
    this.#said = { version: '', models: [] };
    this.#abilities.clear();
  }
}

function wantedWindow({ trainedContext }: ModelAbilities): number {
  return Math.min(contextLength(), trainedContext ?? Number.POSITIVE_INFINITY);
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
