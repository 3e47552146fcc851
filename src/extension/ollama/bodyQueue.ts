import type { IncomingMessage } from 'node:http';
import { STREAM_QUEUE_BYTES } from '../base/limits';

/** How a body came to its end: by its framing, by a broken connection, or because we closed it. */
export type BodyEnding = 'whole' | 'broken' | 'closed';

/**
 * The body of a response as a web stream that loses nothing: what arrived before the connection broke is read before
 * the failure is. (A stream that is errored drops its queue.)
 */
export class BodyQueue {
  readonly stream: ReadableStream<Uint8Array>;
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
    // Pulled only for a read that waits: nothing may lie in the queue of the stream itself.
    this.stream = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.close() },
      { highWaterMark: 0 },
    );
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

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#chunks.length === 0 && this.#ending === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#queued -= chunk.length;
      if (this.#queued <= STREAM_QUEUE_BYTES) this.#incoming.resume();
      controller.enqueue(chunk);
    } else if (this.#ending === 'whole') {
      controller.close();
    } else {
      controller.error(this.#error ?? new Error(`body ${this.#ending ?? 'open'}`));
    }
  }
}
