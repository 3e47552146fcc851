import { Gate } from './gate';
import type { IncomingHttpHeaders } from 'node:http';
import type { ChatRequest } from './chatRequest';

/** What the server saw of a request. Times are milliseconds since the epoch, with a fraction. */
export class LoggedRequest {
  /** The body as parsed JSON; undefined if there was none or it was not JSON. */
  readonly body: unknown;
  /** Opened by the server at the first byte of its reply. */
  readonly headersGate = new Gate();
  /** Opened by the server when the client left before the end of the reply. */
  readonly closedGate = new Gate();
  /** Opened by the server when the whole reply has been handed to the network. */
  readonly endedGate = new Gate();

  constructor(
    readonly method: string,
    /** Without the query. */
    readonly path: string,
    readonly headers: IncomingHttpHeaders,
    readonly bodyText: string,
    /** When the head of the request arrived. */
    readonly startedAt: number,
  ) {
    this.body = parse(bodyText);
  }

  /** The body of a chat request, without a check of its shape. */
  get chat(): ChatRequest {
    return this.body as ChatRequest;
  }

  get headersSentAt(): number | undefined {
    return this.headersGate.openedAt;
  }

  get closedByClientAt(): number | undefined {
    return this.closedGate.openedAt;
  }

  get endedAt(): number | undefined {
    return this.endedGate.openedAt;
  }

  /** Resolves when the headers go out. */
  get headersSent(): Promise<void> {
    return this.headersGate.opened;
  }

  /** Resolves when the client closes the connection before the end of the reply. */
  get closed(): Promise<void> {
    return this.closedGate.opened;
  }

  /** Resolves when the whole reply has been sent. */
  get ended(): Promise<void> {
    return this.endedGate.opened;
  }
}

type Predicate = (request: LoggedRequest) => boolean;

/** All requests in the order in which their bodies were complete. */
export class RequestLog {
  readonly all: LoggedRequest[] = [];
  /** Requests that no `next` has returned yet. */
  private unclaimed: LoggedRequest[] = [];
  private readonly waiting: { readonly wanted: Predicate; readonly give: (request: LoggedRequest) => void }[] = [];

  /** Adds a request and gives it to whoever waits for such a one. */
  add(request: LoggedRequest): void {
    this.all.push(request);
    const place = this.waiting.findIndex(({ wanted }) => wanted(request));
    const [waiter] = place < 0 ? [] : this.waiting.splice(place, 1);
    if (waiter) waiter.give(request);
    else this.unclaimed.push(request);
  }

  /** The oldest wanted request that was not returned before; waits if there is none yet. */
  next(wanted: Predicate = () => true): Promise<LoggedRequest> {
    const found = this.unclaimed.find(wanted);
    if (found) {
      this.unclaimed = this.unclaimed.filter((request) => request !== found);
      return Promise.resolve(found);
    }
    return new Promise((give) => this.waiting.push({ wanted, give }));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
