import type { ServerState, WindowFacts } from '../../protocol/status';
import type { Clock } from '../base/clock';
import { SERVER_REFRESH_MS, SERVER_RETRY_MS } from '../base/limits';
import type { ModelClient } from '../ollama/modelClient';

/** What the watch needs to know of the window. Read anew each time, so that settings take effect. */
export interface FactsSource {
  folder(): string | undefined;
  remote(): string | undefined;
  /** The server as the person would name it, and a client for it. */
  server(): { readonly host: string; readonly client: ModelClient };
  /** The model chosen last in this profile; remembered by {@link FactsSource.remember}. */
  lastModel(): string | undefined;
  remember(model: string): void;
}

/** Keeps what every view shows of the window: its folder, the model server and its models. Always whole. */
export class WindowFactsWatch {
  readonly #source: FactsSource;
  readonly #clock: Clock;
  readonly #listeners = new Set<(facts: WindowFacts) => void>();
  #facts: WindowFacts;
  #cancelTry: (() => void) | undefined;
  #asking: AbortController | undefined;
  #watched = false;

  constructor(source: FactsSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#facts = this.#made({ kind: 'unknown', host: source.server().host }, 1);
  }

  get current(): WindowFacts {
    return this.#facts;
  }

  listen(listener: (facts: WindowFacts) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks the server at regular times while a view is on screen, and not at all otherwise. */
  watch(watched: boolean): void {
    if (this.#watched === watched) return;
    this.#watched = watched;
    if (watched) void this.ask();
    else this.#cancelTry?.();
  }

  /** Asks the server now. */
  async ask(): Promise<void> {
    this.#cancelTry?.();
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const { host, client } = this.#source.server();
    const answer = await client.listModels(asking.signal);
    if (asking.signal.aborted) return;
    if (answer.ok) this.#set({ kind: 'up', host, ...answer.value });
    else {
      const triedAt = this.#clock.now();
      this.#set({ kind: 'down', host, why: answer.failure.detail, triedAt, retryMs: SERVER_RETRY_MS });
    }
    if (!this.#watched) return;
    const up = this.#facts.server.kind === 'up' && this.#facts.server.models.length > 0;
    this.#cancelTry = this.#clock.after(up ? SERVER_REFRESH_MS : SERVER_RETRY_MS, () => void this.ask());
  }

  /** The person chose a model: new conversations take it, too. */
  chose(model: string): void {
    this.#source.remember(model);
    this.#set(this.#facts.server);
  }

  /** The folder, the remote or a setting changed. */
  refresh(): void {
    this.#set(this.#facts.server);
    if (this.#watched) void this.ask();
  }

  dispose(): void {
    this.#watched = false;
    this.#cancelTry?.();
    this.#asking?.abort();
  }

  #set(server: ServerState): void {
    this.#facts = this.#made(server, this.#facts.version + 1);
    for (const listener of this.#listeners) listener(this.#facts);
  }

  #made(server: ServerState, version: number): WindowFacts {
    const folder = this.#source.folder();
    const remote = this.#source.remote();
    const model = defaultModel(server, this.#source.lastModel());
    return {
      version,
      server,
      ...(folder === undefined ? {} : { folder }),
      ...(remote === undefined ? {} : { remote }),
      ...(model === undefined ? {} : { model }),
    };
  }
}

/** The model chosen last while the server has it, or cannot say; else the first it has. */
function defaultModel(server: ServerState, last: string | undefined): string | undefined {
  if (server.kind !== 'up') return last;
  return server.models.some((model) => model.name === last) ? last : server.models[0]?.name;
}
