import type { ChatRequest as LibraryRequest } from 'ollama/browser';
import type { LoadedModel, ModelAbilities } from '../../protocol/status';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';
import { failed, succeeded, type Result } from '../base/result';
import { ChatLine } from './chatLine';
import { toWireLoad, toWireRequest } from './chatWire';
import { readAbilities, readLoaded, readModels } from './description';
import { Descriptions } from './descriptions';
import type { ExtraHeaders } from './extraHeaders';
import { isJsonObject, stringIn } from './json';
import type {
  ChatRequest,
  LoadRequest,
  ModelClient,
  ModelClosing,
  ModelEvent,
  PullEvent,
  QuestionFailure,
  ServerDescription,
} from './modelClient';
import { pullModel } from './pull';
import { ReplyReader } from './replyReader';
import { ServerConnection } from './serverConnection';
import { StallWatch } from './stallWatch';
import { StreamedRequest } from './streamedRequest';
import { phasesUntil } from './waiting';

export interface OllamaClientOptions {
  /** Sent with every request, except to this machine. Values are never logged. */
  readonly headers?: ExtraHeaders;
  /** How long (ms) an answer that has begun may be silent before it is given up. As long as it wants when absent. */
  readonly stallMs?: number;
}

/**
 * Models of an Ollama server, by its own library. Each request has a client and a connection of its own, since the
 * library can stop neither a single stream nor one that has not begun.
 */
export class OllamaClient implements ModelClient {
  readonly #server: ServerConnection;
  readonly #stallMs: number | undefined;
  readonly #line = new ChatLine();
  readonly #descriptions: Descriptions;

  /** @param baseUrl as `parseAddress` gives it */
  constructor(baseUrl: string, clock: Clock, log: Log, options: OllamaClientOptions = {}) {
    this.#server = new ServerConnection(baseUrl, clock, log, options.headers);
    this.#stallMs = options.stallMs;
    this.#descriptions = new Descriptions(this.#server);
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const { clock } = this.#server;
    const stall = new StallWatch(clock, this.#stallMs, () => sent.close());
    const sent = new StreamedRequest(this.#server, signal, stall.heard);
    const reader = new ReplyReader();
    const place = this.#line.enter(request.model);
    // The server is free again as soon as the connection closes, whenever the reader notices.
    const leave = (): void => place.leave();
    signal.addEventListener('abort', leave, { once: true });
    const wire = toWireRequest(request) as LibraryRequest & { stream: true };
    const records = sent.records((client) => client.chat(wire));
    let closing: ModelClosing;
    try {
      const first = records.next();
      const loaded = (looking: AbortSignal): Promise<readonly LoadedModel[] | undefined> => this.#glance(looking);
      for await (const phase of phasesUntil(first, { request, place, clock, loaded })) {
        if (!signal.aborted) yield { type: 'waiting', phase };
      }
      for (let next = await first; next.done !== true; next = await stall.over(records.next())) {
        for (const event of reader.read(next.value)) {
          if (signal.aborted) break;
          yield event;
        }
        if (signal.aborted) break;
      }
      closing = reader.end() ?? { type: 'failed', failure: sent.failure(undefined) };
    } catch (error) {
      closing = stall.stalled ? stalled(this.#stallMs) : unfinished(sent, reader, error);
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
      sent.close();
      records.return().catch(() => undefined);
    }
    if (!signal.aborted) {
      for (const event of reader.rest()) yield event;
    }
    yield signal.aborted ? { type: 'aborted' } : closing;
  }

  async listModels(signal: AbortSignal): Promise<Result<ServerDescription, QuestionFailure>> {
    const [tags, version] = await Promise.all([
      this.#server.ask((client) => client.list(), readModels, signal),
      // Not every server that speaks the protocol knows its version.
      this.#server.ask((client) => client.version(), readVersion, signal),
    ]);
    if (!tags.ok) return tags;
    const models = await this.#descriptions.complete(tags.value, signal);
    if (signal.aborted) return failed({ reason: 'aborted', detail: '' });
    return succeeded({ version: version.ok ? version.value : '', models });
  }

  describe(model: string, signal: AbortSignal): Promise<Result<ModelAbilities, QuestionFailure>> {
    return this.#server.ask((client) => client.show({ model }), readAbilities, signal);
  }

  listLoaded(signal: AbortSignal): Promise<Result<readonly LoadedModel[], QuestionFailure>> {
    return this.#server.ask((client) => client.ps(), readLoaded, signal);
  }

  pull(model: string, signal: AbortSignal): AsyncGenerator<PullEvent, void, undefined> {
    return pullModel(this.#server, model, signal);
  }

  async load(request: LoadRequest, signal: AbortSignal): Promise<Result<undefined, QuestionFailure>> {
    const answer = await this.#server.ask(
      (client) => client.generate(toWireLoad(request)),
      readDone,
      signal,
      'patiently',
    );
    return answer.ok ? succeeded(undefined) : answer;
  }

  async unload(model: string, signal: AbortSignal): Promise<Result<undefined, QuestionFailure>> {
    const request = { model, prompt: '', keep_alive: 0, stream: false } as const;
    const answer = await this.#server.ask((client) => client.generate(request), readDone, signal);
    return answer.ok ? succeeded(undefined) : answer;
  }

  async #glance(signal: AbortSignal): Promise<readonly LoadedModel[] | undefined> {
    const answer = await this.listLoaded(signal);
    return answer.ok ? answer.value : undefined;
  }
}

/** How a stream closes that brought no `done`. */
function unfinished(sent: StreamedRequest, reader: ReplyReader, error: unknown): ModelClosing {
  // Some backends give a reason in their last record but do not say that they are done.
  const end = sent.cameWhole ? reader.end() : undefined;
  return end ?? { type: 'failed', failure: sent.failure(error) };
}

function stalled(limitMs = 0): ModelClosing {
  return { type: 'failed', failure: { reason: 'stalled', detail: `Nothing came for ${limitMs / 1_000} s.` } };
}

function readVersion(answer: unknown): string | undefined {
  return isJsonObject(answer) ? stringIn(answer['version']) : undefined;
}

/** A load or an unload is answered when it is done. */
function readDone(answer: unknown): true | undefined {
  return isJsonObject(answer) && answer['done'] === true ? true : undefined;
}
