import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findModel } from './chatAdmission';
import { parseBody } from './chatRequest';
import type { ChatRequest } from './chatRequest';
import { ChatService } from './chatService';
import type { ChatSurroundings } from './chatService';
import type { TransportStep } from './chatStep';
import { HttpReply } from './httpReply';
import { LoadedModels } from './loadedModels';
import { answerGenerate } from './loadService';
import { psReply, showReply, tagsReply } from './modelReplies';
import { ModelSet } from './modelSet';
import type { ModelSpec } from './modelSet';
import { PullService } from './pullService';
import type { PullableModel } from './pullService';
import { LoggedRequest, RequestLog } from './requestLog';
import type { ChatAnswerer, ScriptParts } from './scriptQueue';
import type { Tokenizer } from './tokenizer';
import { OBJECT_FORM, playTransport } from './transportPlayer';

/** Settings of a test server; all have defaults. */
export interface OllamaServerOptions {
  /** Pulled models; none by default. */
  readonly models?: Iterable<ModelSpec | string>;
  /** What `/api/version` says; default 0.32.15. Replies follow what that version sends. */
  readonly version?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** How many chats run at once (`OLLAMA_NUM_PARALLEL`); no limit by default, whereas a real server has 1. */
  readonly parallel?: number;
  /** How many chats may wait (`OLLAMA_MAX_QUEUE`); default 512. */
  readonly maxQueue?: number;
  /** The window in tokens of a model for which nobody asks another one; default 4096. */
  readonly defaultContextLength?: number;
  /** Answers the chats for which no script is queued; by default they fail with status 400, which nobody retries. */
  readonly fallback?: ChatAnswerer;
  /** The vocabulary of its models; default that of gpt-oss. */
  readonly tokenizer?: Tokenizer;
  /** The clock for `created_at` and `expires_at`. */
  readonly now?: () => Date;
}

/** An Ollama server for tests, on 127.0.0.1. It speaks the real protocol and answers by script. */
export class OllamaServer {
  /** The pulled models. */
  readonly models: ModelSet;
  /** The models in memory. */
  readonly loaded: LoadedModels;
  /** Answers the chats for which no script is queued. */
  fallback: ChatAnswerer;
  /** What `/api/version` says; replies follow what that version sends. */
  version: string;
  private readonly chat: ChatService;
  private readonly pulls: PullService;
  private reading: Promise<unknown> = Promise.resolve();
  private readonly surroundings: ChatSurroundings;
  private readonly log = new RequestLog();
  private readonly openReplies = new Set<HttpReply>();
  private readonly disturbances: { readonly path: string; readonly steps: readonly TransportStep[] }[] = [];
  private http: Server | undefined;
  private port: number;

  private constructor(options: OllamaServerOptions) {
    const now = options.now ?? (() => new Date());
    this.models = new ModelSet(options.models);
    this.pulls = new PullService(this.models);
    this.loaded = new LoadedModels(now);
    this.surroundings = {
      models: this.models,
      loaded: this.loaded,
      now,
      reading: () => this.reading,
      parallel: options.parallel ?? Number.POSITIVE_INFINITY,
      maxQueue: options.maxQueue ?? 512,
      defaultContextLength: options.defaultContextLength ?? 4096,
      tokenizer: options.tokenizer,
    };
    this.chat = new ChatService(this.surroundings);
    this.version = options.version ?? '0.32.15';
    this.fallback = options.fallback ?? (() => [{ error: 'the test has queued no script for this chat', status: 400 }]);
    this.port = options.port ?? 0;
  }

  /**
   * Starts a server.
   * @throws if the port is taken
   */
  static async start(options: OllamaServerOptions = {}): Promise<OllamaServer> {
    const server = new OllamaServer(options);
    await server.startAgain();
    return server;
  }

  /** `127.0.0.1:PORT`; stays the same while the server is stopped. */
  get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** `http://127.0.0.1:PORT`. */
  get url(): string {
    return `http://${this.host}`;
  }

  /** Every request so far, in the order of arrival. */
  get requests(): readonly LoggedRequest[] {
    return this.log.all;
  }

  /** Every chat request so far, in the order of arrival. */
  get chats(): readonly LoggedRequest[] {
    return this.log.all.filter(isChat);
  }

  /** The oldest request (of a kind) that was not returned before; waits for one if necessary. */
  nextRequest(wanted?: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
    return this.log.next(wanted);
  }

  /** The oldest chat request that was not returned before; waits for one if necessary. */
  nextChat(): Promise<LoggedRequest> {
    return this.log.next(isChat);
  }

  /**
   * Queues an answer: its steps, or a function of the request. Each chat that passes the server's checks takes the
   * oldest one when it arrives, also if it must then wait for a slot.
   */
  script(...parts: ScriptParts): void {
    this.chat.scripts.add(() => true, parts);
  }

  /** Queues an answer for the chats of a kind only, where chats run side by side. */
  scriptFor(wanted: (request: ChatRequest) => boolean, ...parts: ScriptParts): void {
    this.chat.scripts.add(wanted, parts);
  }

  /**
   * Plays steps before the reply to the next request for `path`, whatever it is. The true reply follows, unless a step
   * ends the exchange.
   */
  disturb(path: string, ...steps: readonly TransportStep[]): void {
    this.disturbances.push({ path, steps });
  }

  /** Makes a model known to the registry from which the server pulls. */
  offer(model: PullableModel): void {
    this.pulls.offer(model);
  }

  /** Every model that is not in memory takes until `read` settles to get there; at once by default. */
  holdLoads(read: Promise<unknown>): void {
    this.reading = read.catch(() => undefined);
  }

  /** Ends the server with all its connections, as if Ollama had been quit; it forgets what was loaded. */
  async stop(): Promise<void> {
    const http = this.http;
    if (!http) return;
    this.http = undefined;
    this.loaded.clear();
    const closed = new Promise((resolve) => http.close(resolve));
    for (const reply of this.openReplies) reply.drop();
    http.closeAllConnections();
    await closed;
  }

  /**
   * Starts a stopped server on the port it had.
   * @throws if the port has been taken in the meantime
   */
  async startAgain(): Promise<void> {
    if (this.http) return;
    const http = createServer((request, response) => void this.receive(request, response));
    // Like the real server: idle connections stay open, and requests may take as long as they want.
    http.keepAliveTimeout = 0;
    http.requestTimeout = 0;
    http.headersTimeout = 0;
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(this.port, '127.0.0.1', resolve);
    });
    this.http = http;
    this.port = (http.address() as AddressInfo).port;
  }

  /** Ends the server for good; a second call does nothing. */
  close(): Promise<void> {
    return this.stop();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.timeOrigin + performance.now();
    const bodyText = await readBody(request);
    // A client that left in the middle of its own request has asked nothing.
    if (bodyText === undefined) return;
    const path = (request.url ?? '/').replace(/\?.*/, '');
    const logged = new LoggedRequest(request.method ?? '', path, request.headers, bodyText, startedAt);
    const reply = new HttpReply(response, logged);
    this.openReplies.add(reply);
    void reply.gone.opened.then(() => this.openReplies.delete(reply));
    this.log.add(logged);
    try {
      if ((await this.playDisturbance(path, reply)) === 'continues') await this.route(logged, reply);
    } catch (error) {
      // A fault in a test's own script: no client may hang for it, and the test run must show it.
      reply.drop();
      throw error;
    }
  }

  private async playDisturbance(path: string, reply: HttpReply): Promise<'continues' | 'over'> {
    const place = this.disturbances.findIndex((one) => one.path === path);
    const [disturbance] = place < 0 ? [] : this.disturbances.splice(place, 1);
    for (const step of disturbance?.steps ?? []) {
      if ((await playTransport(step, reply, OBJECT_FORM)) === 'over') return 'over';
    }
    return 'continues';
  }

  private async route(logged: LoggedRequest, reply: HttpReply): Promise<void> {
    const { method, path } = logged;
    switch (path) {
      case '/':
        return allow(method, ['GET', 'HEAD'], reply, () =>
          reply.text(200, 'Ollama is running', 'text/plain; charset=utf-8'),
        );
      case '/api/version':
        return allow(method, ['GET', 'HEAD'], reply, () => reply.json(200, { version: this.version }));
      case '/api/tags':
        return allow(method, ['GET', 'HEAD'], reply, () =>
          reply.json(200, tagsReply(this.models.newestFirst(), this.version)),
        );
      case '/api/ps':
        return allow(method, ['GET'], reply, () => reply.json(200, psReply(this.loaded.list(), this.version)));
      case '/api/show':
        return allow(method, ['POST'], reply, () => this.show(logged.bodyText, reply));
      case '/api/chat':
        return allow(method, ['POST'], reply, () =>
          this.chat.answer(logged.bodyText, this.version, this.fallback, reply),
        );
      case '/api/generate':
        return allow(method, ['POST'], reply, () => answerGenerate(logged.bodyText, this.surroundings, reply));
      case '/api/pull':
        return allow(method, ['POST'], reply, () => this.pulls.answer(logged.bodyText, reply));
      default:
        return reply.text(404, '404 page not found');
    }
  }

  private show(bodyText: string, reply: HttpReply): void {
    const parsed = parseBody(bodyText);
    if (!parsed.ok) return reply.json(parsed.status, { error: parsed.error });
    // The field was once called `name` and is still accepted.
    const name = parsed.body['model'] ?? parsed.body['name'];
    const found = findModel(typeof name === 'string' ? name : undefined, this.models);
    if (!found.ok) return reply.json(found.status, { error: found.error });
    reply.json(200, showReply(found.model, this.version));
  }
}

function isChat(request: LoggedRequest): boolean {
  return request.path === '/api/chat';
}

async function allow(
  method: string,
  allowed: readonly string[],
  reply: HttpReply,
  respond: () => void | Promise<void>,
): Promise<void> {
  if (allowed.includes(method)) await respond();
  else reply.text(405, '405 method not allowed');
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}
