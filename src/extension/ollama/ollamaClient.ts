import { Ollama, type ChatRequest as LibraryRequest } from 'ollama/browser';
import type { LoadedModel, ModelAbilities } from '../../protocol/status';
import type { Clock } from '../base/clock';
import { QUESTION_BYTES, RECORD_BYTES, SERVER_QUESTION_MS } from '../base/limits';
import type { Log } from '../base/log';
import { failed, succeeded, type Result } from '../base/result';
import { toWireRequest } from './chatWire';
import { readAbilities, readModels } from './description';
import { Exchange } from './exchange';
import { failureOf } from './failure';
import { isJsonObject, stringIn } from './json';
import type {
  ChatRequest,
  LoadRequest,
  ModelClient,
  ModelClosing,
  ModelEvent,
  ModelFailure,
  PullEvent,
  QuestionFailure,
  ServerDescription,
} from './modelClient';
import { RecordStream } from './recordStream';
import { ReplyReader } from './replyReader';

/**
 * Models of an Ollama server, by its own library. Each request has a client and a connection of its own, since the
 * library can stop neither a single stream nor one that has not begun.
 */
export class OllamaClient implements ModelClient {
  readonly #baseUrl: string;
  readonly #clock: Clock;
  readonly #log: Log;

  /** @param baseUrl as `parseAddress` gives it */
  constructor(baseUrl: string, clock: Clock, log: Log) {
    this.#baseUrl = baseUrl;
    this.#clock = clock;
    this.#log = log;
  }

  async *chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    const exchange = new Exchange(signal, this.#clock);
    const reader = new ReplyReader();
    let records: RecordStream | undefined;
    const client = this.#client(async (input, init) => {
      const response = await exchange.fetch(input, init);
      if (!response.ok || response.body === null) return response;
      records = new RecordStream(response.body);
      return new Response(records.stream, { headers: response.headers });
    });
    let closing: ModelClosing;
    try {
      for await (const record of await client.chat(toWireRequest(request) as LibraryRequest & { stream: true })) {
        for (const event of reader.read({ ...record })) {
          if (signal.aborted) break;
          yield event;
        }
        if (signal.aborted) break;
      }
      closing = reader.end() ?? chatFailed(failureOf(exchange, undefined));
    } catch (error) {
      closing = unfinished(exchange, reader, records, error);
    } finally {
      exchange.close();
      if (records !== undefined && records.skipped > 0) {
        this.#log.warn(`${records.skipped} lines of a reply were no record`);
      }
    }
    if (!signal.aborted) {
      for (const event of reader.rest()) yield event;
    }
    yield signal.aborted ? { type: 'aborted' } : closing;
  }

  async listModels(signal: AbortSignal): Promise<Result<ServerDescription, QuestionFailure>> {
    const [tags, version] = await Promise.all([
      this.#ask((client) => client.list(), readModels, signal),
      // Not every server that speaks the protocol knows its version.
      this.#ask((client) => client.version(), readVersion, signal),
    ]);
    return tags.ok ? succeeded({ version: version.ok ? version.value : '', models: tags.value }) : tags;
  }

  async describe(model: string, signal: AbortSignal): Promise<Result<ModelAbilities, QuestionFailure>> {
    return this.#ask((client) => client.show({ model }), readAbilities, signal);
  }

  listLoaded(_signal: AbortSignal): Promise<Result<readonly LoadedModel[], QuestionFailure>> {
    return Promise.resolve(succeeded([]));
  }

  async *pull(_model: string, _signal: AbortSignal): AsyncGenerator<PullEvent, void, undefined> {
    yield { type: 'done' };
  }

  load(_request: LoadRequest, _signal: AbortSignal): Promise<Result<undefined, QuestionFailure>> {
    return Promise.resolve(succeeded(undefined));
  }

  unload(_model: string, _signal: AbortSignal): Promise<Result<undefined, QuestionFailure>> {
    return Promise.resolve(succeeded(undefined));
  }

  /** Asks one question in the time for it. `read` answers undefined for what no such server says. */
  async #ask<T>(
    ask: (client: Ollama) => Promise<unknown>,
    read: (answer: unknown) => T | undefined,
    signal: AbortSignal,
  ): Promise<Result<T, QuestionFailure>> {
    const exchange = new Exchange(signal, this.#clock, QUESTION_BYTES);
    let late = false;
    const cancel = this.#clock.after(SERVER_QUESTION_MS, () => {
      late = true;
      exchange.close();
    });
    try {
      const value = read(await ask(this.#client(exchange.fetch)));
      return value === undefined ? failed(foreignAnswer) : succeeded(value);
    } catch (error) {
      if (signal.aborted) return failed({ reason: 'aborted', detail: '' });
      if (late) return failed({ reason: 'unreachable', detail: `No answer within ${SERVER_QUESTION_MS / 1000} s.` });
      const whole = exchange.refusal === undefined && exchange.ending === 'whole';
      return failed(whole ? foreignAnswer : failureOf(exchange, error));
    } finally {
      cancel();
      exchange.close();
    }
  }

  #client(fetch: typeof globalThis.fetch): Ollama {
    return new Ollama({ host: this.#baseUrl, fetch });
  }
}

/** How a stream closes that brought no `done`. */
function unfinished(
  exchange: Exchange,
  reader: ReplyReader,
  records: RecordStream | undefined,
  error: unknown,
): ModelClosing {
  if (records?.error !== undefined) return chatFailed({ reason: 'server_error', detail: records.error });
  if (records?.tooLong === true) {
    const detail = `The server sent a record of more than ${RECORD_BYTES} bytes.`;
    return chatFailed({ reason: 'server_error', detail });
  }
  // Some backends give a reason in their last record but do not say that they are done.
  const end = exchange.ending === 'whole' && exchange.refusal === undefined ? reader.end() : undefined;
  return end ?? chatFailed(failureOf(exchange, error));
}

function chatFailed(failure: ModelFailure): ModelClosing {
  return { type: 'failed', failure };
}

const foreignAnswer: ModelFailure = {
  reason: 'server_error',
  detail: 'What answers at this address does not answer like Ollama.',
};

function readVersion(answer: unknown): string | undefined {
  return isJsonObject(answer) ? stringIn(answer['version']) : undefined;
}
