import type { Ollama } from 'ollama/browser';
import type { JsonObject } from '../../protocol/part';
import { RECORD_BYTES } from '../base/limits';
import type { Exchange } from './exchange';
import { failureOf } from './failure';
import type { ModelFailure } from './modelClient';
import { RecordStream } from './recordStream';
import type { ServerConnection } from './serverConnection';
import { faultOfWords } from './serverWords';

/** One request whose answer is a stream of records, read by the library. Whoever makes one must close it. */
export class StreamedRequest {
  readonly #server: ServerConnection;
  readonly #exchange: Exchange;
  #stream: RecordStream | undefined;
  #closed = false;

  /** `heard` is called for all that arrives of the answer. */
  constructor(server: ServerConnection, signal: AbortSignal, heard: () => void = () => undefined) {
    this.#server = server;
    this.#exchange = server.exchange(signal, {
      read: (body) => {
        this.#stream = new RecordStream(body, heard);
        return this.#stream.stream;
      },
    });
  }

  /** The records in their order, to the one that ends the answer. Throws when there is no such one. */
  async *records(
    send: (client: Ollama) => Promise<AsyncIterable<object>>,
  ): AsyncGenerator<JsonObject, void, undefined> {
    for await (const record of await send(this.#server.library(this.#exchange.fetch))) yield { ...record };
  }

  /** Whether everything came that the server had to say, be it an end or not. */
  get cameWhole(): boolean {
    const { ending, refusal } = this.#exchange;
    return ending === 'whole' && refusal === undefined && this.#stream?.error === undefined;
  }

  /** Why there is no whole answer. `thrown`: what `records` threw. */
  failure(thrown: unknown): ModelFailure {
    const words = this.#stream?.error;
    if (words !== undefined) return { reason: faultOfWords(words), detail: words };
    if (this.#stream?.tooLong === true) {
      return { reason: 'server_error', detail: `The server sent a record of more than ${RECORD_BYTES} bytes.` };
    }
    return failureOf(this.#exchange, thrown);
  }

  /** Closes the connection, whatever is going on. Doing so twice is harmless. */
  readonly close = (): void => {
    this.#exchange.close();
    const skipped = this.#closed ? 0 : (this.#stream?.skipped ?? 0);
    this.#closed = true;
    if (skipped > 0) this.#server.log.warn(`${skipped} lines of an answer were no record`);
  };
}
