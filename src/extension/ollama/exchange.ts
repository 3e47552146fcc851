import * as patchedHttp from 'http';
import * as patchedHttps from 'https';
import * as http from 'node:http';
import * as https from 'node:https';
import type { Clock } from '../base/clock';
import { CONNECTION_PROBE_MS, REFUSAL_WORDS_MS, SERVER_WORDS_CHARS } from '../base/limits';
import { isLoopback } from './address';
import { BodyQueue, type BodyEnding } from './bodyQueue';
import { readExtraHeaders, type ExtraHeaders } from './extraHeaders';
import { readRefusal, readRetryAfter, type Refusal } from './refusal';

export interface ExchangeOptions {
  /** A longer response counts as broken there. No limit when absent. */
  readonly maxBytes?: number;
  /** How the body of an answer is read; as it comes when absent. Refusals are read here. */
  readonly read?: (body: BodyQueue) => ReadableStream<Uint8Array>;
  /** Sent to other machines only. */
  readonly headers?: ExtraHeaders;
}

/**
 * One request and its response over Node's own client: no time-out of any phase, and closed as soon as `signal` aborts
 * in every phase. It remembers how far it came, for that says why it failed better than the error thrown at the end.
 * Redirects are refusals: nothing is sent anywhere but to the address that was given.
 */
export class Exchange {
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  readonly #options: ExchangeOptions;
  #outgoing: http.ClientRequest | undefined;
  #body: BodyQueue | undefined;
  #onClose: () => void = () => undefined;
  #closed = false;
  #connected = false;
  #refusal: Refusal | undefined;
  #retryAfterMs: number | undefined;
  #error: unknown;

  constructor(signal: AbortSignal, clock: Clock, options: ExchangeOptions = {}) {
    this.#signal = signal;
    this.#clock = clock;
    this.#options = options;
    signal.addEventListener('abort', this.close, { once: true });
    if (signal.aborted) this.close();
  }

  /** Whether a connection stood, so that something does listen there. */
  get connected(): boolean {
    return this.#connected;
  }

  /** Set when the response was a refusal. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** How long (ms) a refusal asks to be left alone, where it says. */
  get retryAfterMs(): number | undefined {
    return this.#retryAfterMs;
  }

  /** How the body ended; undefined while it is open or has not begun. */
  get ending(): BodyEnding | undefined {
    return this.#body?.ending;
  }

  /** What the system said when the connection failed or broke. */
  get error(): unknown {
    return this.#error ?? this.#body?.error;
  }

  /** Closes the connection, whatever is going on. Doing so twice is harmless. */
  readonly close = (): void => {
    this.#closed = true;
    this.#onClose();
    this.#signal.removeEventListener('abort', this.close);
    this.#body?.close();
    this.#outgoing?.destroy();
  };

  /**
   * A `fetch` for one use. A refusal comes as JSON whatever it was, with its words cut, so that the library neither
   * reads without end nor prints anything. Rejects when there is no response.
   */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const incoming = await this.#send(url, init, await this.#extraHeaders(url));
    const body = new BodyQueue(incoming, this.#options.maxBytes ?? Number.POSITIVE_INFINITY);
    this.#body = body;
    const status = incoming.statusCode ?? 0;
    const contentType = incoming.headers['content-type'] ?? '';
    if (status < 200 || status > 299 || contentType.includes('text/html')) {
      const words = await this.#firstWords(body);
      this.#refusal = readRefusal(status, incoming.statusMessage ?? '', contentType, words);
      this.#retryAfterMs = readRetryAfter(incoming.headers['retry-after'], this.#clock.now());
      return refused(this.#refusal);
    }
    const read = this.#options.read?.(body) ?? body.stream();
    return new Response(read, { headers: { 'content-type': contentType } });
  };

  /** Other machines only get them. Whoever keeps them may take long, which must not outlive the request. */
  async #extraHeaders(url: URL): Promise<Readonly<Record<string, string>>> {
    const { headers } = this.#options;
    if (headers === undefined || this.#closed || isLoopback(url.hostname)) return {};
    const closed = new Promise<never>((_, reject) => {
      this.#onClose = () => reject(new Error('closed before it was sent'));
    });
    return Promise.race([readExtraHeaders(headers), closed]);
  }

  #send(url: URL, init: RequestInit, extra: Readonly<Record<string, string>>): Promise<http.IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error('closed before it was sent'));
        return;
      }
      const loopback = isLoopback(url.hostname);
      const outgoing = requestOf(url.protocol, loopback)(url, {
        method: init.method ?? 'GET',
        // One connection per request: a kept one may be dead already, and closing it must stop this request alone.
        headers: { ...Object.fromEntries(new Headers(init.headers)), ...extra, connection: 'close' },
        ...(loopback ? { agent: false } : {}),
      });
      this.#outgoing = outgoing;
      const onConnect = (): void => {
        this.#connected = true;
      };
      outgoing.once('socket', (socket) => {
        // The only way to notice, in a silence without limit, that the other machine is gone.
        socket.setKeepAlive(true, CONNECTION_PROBE_MS);
        if (socket.connecting) socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', onConnect);
        else onConnect();
      });
      outgoing.on('error', (error) => {
        this.#error ??= error;
        reject(error);
      });
      outgoing.once('close', () => reject(new Error('closed without a response')));
      outgoing.once('response', resolve);
      outgoing.end(typeof init.body === 'string' ? init.body : undefined);
    });
  }

  /** The beginning of the body as text, as much as comes in time. Closes the connection. */
  async #firstWords(body: BodyQueue): Promise<string> {
    const cancel = this.#clock.after(REFUSAL_WORDS_MS, () => body.close());
    const decoder = new TextDecoder();
    let words = '';
    try {
      for await (const chunk of body.stream()) {
        words += decoder.decode(chunk, { stream: true });
        if (words.length >= SERVER_WORDS_CHARS) break;
      }
    } catch {
      // What came is what there is: the status alone says enough.
    } finally {
      cancel();
      this.#outgoing?.destroy();
    }
    return words;
  }
}

/**
 * The editor puts its proxy and certificates behind the names `http` and `https`; `node:` names reach Node itself.
 * This machine is never asked through a proxy.
 */
function requestOf(protocol: string, loopback: boolean): typeof http.request {
  if (protocol === 'https:') return loopback ? https.request : patchedHttps.request;
  return loopback ? http.request : patchedHttp.request;
}

function refused(refusal: Refusal): Response {
  return new Response(JSON.stringify({ error: refusal.words }), {
    // A web page with a good status is no answer either.
    status: refusal.status >= 400 && refusal.status <= 599 ? refusal.status : 502,
    headers: { 'content-type': 'application/json' },
  });
}
