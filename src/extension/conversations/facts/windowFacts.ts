import type { ServerOffer, ServerState, WindowFacts } from '../../../protocol/status';
import type { Reply } from '../../../protocol/wire';
import type { Clock } from '../../base/clock';
import { SERVER_REFRESH_MS, SERVER_RETRY_MS } from '../../base/limits';
import type { ModelClient } from '../../ollama/modelClient';
import { isSameModel } from '../../ollama/modelName';
import { Pulls } from './pulls';
import { ServerOffers } from './serverOffers';

/** What the watch needs to know of the window. Read anew each time, so that settings take effect. */
export interface FactsSource {
  folder(): string | undefined;
  remote(): string | undefined;
  /** Bytes of memory of the machine that the extension host runs on. */
  memory(): number;
  /** The server as the person would name it, and a client for it. */
  server(): { readonly host: string; readonly client: ModelClient };
  /** What may help where no server answers. Asks around, and never rejects. */
  offers(signal: AbortSignal): Promise<readonly ServerOffer[]>;
  /** Makes another address the server's, as if the person had written it into the settings. Rejects when they cannot be written. */
  useHost(host: string): Promise<void>;
  /** The model chosen last in this profile; remembered by {@link FactsSource.remember}. */
  lastModel(): string | undefined;
  remember(model: string): void;
}

/** Keeps what every view shows of the window: its folder, the model server and its models. Always whole. */
export class WindowFactsWatch {
  /** Models on their way to the server. */
  readonly pulls: Pulls;
  readonly #source: FactsSource;
  readonly #clock: Clock;
  readonly #offers: ServerOffers;
  readonly #listeners = new Set<(facts: WindowFacts) => void>();
  #facts: WindowFacts;
  #cancelTry: (() => void) | undefined;
  #asking: AbortController | undefined;
  #askingLoaded: AbortController | undefined;
  #watched = false;

  constructor(source: FactsSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.pulls = new Pulls(
      {
        client: () => source.server().client,
        changed: () => this.#set(this.#facts.server),
        arrived: (model) => this.#arrived(model),
      },
      clock,
    );
    this.#offers = new ServerOffers(
      (signal) => source.offers(signal),
      () => this.#offered(),
      clock,
    );
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
    const [answer, loaded] = await Promise.all([client.listModels(asking.signal), client.listLoaded(asking.signal)]);
    if (asking.signal.aborted) return;
    if (answer.ok) {
      this.#offers.forget();
      this.#set({ kind: 'up', host, ...answer.value, ...(loaded.ok ? { loaded: loaded.value } : {}) });
    } else {
      this.#offers.seek(this.#place(host));
      this.#set({
        kind: 'down',
        host,
        why: answer.failure.detail,
        triedAt: this.#clock.now(),
        retryMs: SERVER_RETRY_MS,
        ...this.#offersAt(host),
      });
    }
    if (!this.#watched) return;
    const up = this.#facts.server.kind === 'up' && this.#facts.server.models.length > 0;
    this.#cancelTry = this.#clock.after(up ? SERVER_REFRESH_MS : SERVER_RETRY_MS, () => void this.ask());
  }

  /** Asks only what the server holds in memory: after a turn that may be another model, or one with another window. */
  async askLoaded(): Promise<void> {
    this.#askingLoaded?.abort();
    const asking = new AbortController();
    this.#askingLoaded = asking;
    const { host, client } = this.#source.server();
    const loaded = await client.listLoaded(asking.signal);
    const { server } = this.#facts;
    if (!asking.signal.aborted && loaded.ok && server.kind === 'up' && server.host === host)
      this.#set({ ...server, loaded: loaded.value });
  }

  /** The person chose a model: new conversations take it, too. */
  chose(model: string): void {
    this.#source.remember(model);
    this.#set(this.#facts.server);
  }

  /** Takes an address that is offered now, and no other: whoever asks may have it from anywhere. */
  async useHost(host: string): Promise<Reply> {
    const { server } = this.#facts;
    const offers = server.kind === 'down' ? (server.offers ?? []) : [];
    if (!offers.some((offer) => offer.kind === 'host' && offer.host === host))
      return { ok: false, message: 'This address is not offered any more.' };
    try {
      await this.#source.useHost(host);
    } catch {
      return { ok: false, message: 'The settings cannot be written. Open them to see why.' };
    }
    await this.ask();
    return { ok: true };
  }

  /** The folder, the remote or a setting changed. */
  refresh(): void {
    const { host } = this.#source.server();
    if (host === this.#facts.server.host) this.#set(this.#facts.server);
    else {
      // What came from the server before, or is still to come from it, would be an untruth under another one's name.
      this.#asking?.abort();
      this.#askingLoaded?.abort();
      this.pulls.clear();
      this.#set({ kind: 'unknown', host });
    }
    if (this.#watched) void this.ask();
  }

  dispose(): void {
    this.#watched = false;
    this.#cancelTry?.();
    this.#asking?.abort();
    this.#askingLoaded?.abort();
    this.#offers.forget();
    this.pulls.clear();
  }

  /**
   * A model more makes nobody use another one. Only where there was none it is taken; one that was chosen and missing is
   * there again.
   */
  async #arrived(model: string): Promise<void> {
    const last = this.#source.lastModel();
    const used = last !== undefined && isSameModel(last, model) ? last : this.#facts.model;
    if (used !== undefined && used !== last) this.#source.remember(used);
    await this.ask();
    const { server } = this.#facts;
    const taken = server.kind === 'up' ? server.models.find(({ name }) => isSameModel(name, model)) : undefined;
    if (used === undefined && taken !== undefined) this.chose(taken.name);
  }

  #offered(): void {
    const { server } = this.#facts;
    if (server.kind !== 'down') return;
    const { offers: _, ...known } = server;
    this.#set({ ...known, ...this.#offersAt(server.host) });
  }

  #offersAt(host: string): { readonly offers?: readonly ServerOffer[] } {
    const offers = this.#offers.at(this.#place(host));
    return offers.length === 0 ? {} : { offers };
  }

  /** What is to be offered depends on where no server answers, and on the machine that looks for one. */
  #place(host: string): string {
    return `${host} ${this.#source.remote() ?? ''}`;
  }

  #set(server: ServerState): void {
    this.#facts = this.#made(server, this.#facts.version + 1);
    for (const listener of this.#listeners) listener(this.#facts);
  }

  #made(server: ServerState, version: number): WindowFacts {
    const folder = this.#source.folder();
    const remote = this.#source.remote();
    const model = defaultModel(server, this.#source.lastModel());
    const pulls = this.pulls.states;
    return {
      version,
      server,
      memory: this.#source.memory(),
      ...(folder === undefined ? {} : { folder }),
      ...(remote === undefined ? {} : { remote }),
      ...(model === undefined ? {} : { model }),
      ...(pulls.length === 0 ? {} : { pulls }),
    };
  }
}

/** The model chosen last while the server has it, or cannot say; else the first it has. */
function defaultModel(server: ServerState, last: string | undefined): string | undefined {
  if (server.kind !== 'up') return last;
  return server.models.some((model) => model.name === last) ? last : server.models[0]?.name;
}
