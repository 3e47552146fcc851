import type { IncomingMessage } from 'node:http';
import { STREAM_QUEUE_BYTES } from '../base/limits';

/** How a body came to its end: by its framing, by a broken connection, or because we closed it. */
export type BodyEnding = 'whole' | 'broken' | 'closed';

/**
 * The body of a response, chunk by chunk, without loss: what arrived before the connection broke is taken before the
 * failure is. (A web stream that is errored drops its queue.)
 */
export class BodyQueue {
  readonly #incoming: IncomingMessage;
  readonly #maxBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #queued = 0;
  #received = 0;
  #ending: BodyEnding | undefined;
  #error: unknown;
  #wake: () => void = () => undefined;

  /** A body longer than `maxBytes` counts as broken there. */
  constructor(incoming: IncomingMessage, maxBytes: number) {
    this.#incoming = incoming;
    this.#maxBytes = maxBytes;
    incoming.on('data', (chunk: Buffer) => this.#push(chunk));
    incoming.on('end', () => this.#end(incoming.complete ? 'whole' : 'broken'));
    incoming.on('error', (error) => {
      this.#error ??= error;
      this.#end('broken');
    });
    incoming.on('close', () => this.#end('broken'));
  }

  /** The rest of the body as a web stream. */
  stream(): ReadableStream<Uint8Array> {
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const chunk = await this.take();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    };
    // Pulled only for a read that waits: nothing may lie in the queue of the stream itself.
    return new ReadableStream<Uint8Array>({ pull, cancel: () => this.close() }, { highWaterMark: 0 });
  }

  /** The next chunk; undefined at the end. Throws what broke the connection, after all that came before. */
  async take(): Promise<Uint8Array | undefined> {
    while (this.#chunks.length === 0 && this.#ending === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#queued -= chunk.length;
      if (this.#queued <= STREAM_QUEUE_BYTES) this.#incoming.resume();
      return chunk;
    }
    if (this.#ending === 'whole') return undefined;
    throw this.#error instanceof Error ? this.#error : new Error(`body ${this.#ending ?? 'open'}`);
  }

  /** Undefined while more may come. */
  get ending(): BodyEnding | undefined {
    return this.#ending;
  }

  /** Of a broken connection: what the system said. */
  get error(): unknown {
    return this.#error;
  }

  /** Ends it now; what is queued is dropped. The caller closes the connection. */
  close(): void {
    this.#chunks.length = 0;
    this.#end('closed');
  }

  #push(chunk: Uint8Array): void {
    if (this.#ending !== undefined) return;
    this.#received += chunk.length;
    if (this.#received > this.#maxBytes) {
      this.#incoming.destroy(new Error(`The answer is longer than ${this.#maxBytes} bytes.`));
      return;
    }
    this.#chunks.push(chunk);
    this.#queued += chunk.length;
    if (this.#queued > STREAM_QUEUE_BYTES) this.#incoming.pause();
    this.#wake();
  }

  #end(ending: BodyEnding): void {
    this.#ending ??= ending;
    this.#wake();
  }
}
