import type { ServerResponse } from 'node:http';
import { Gate } from './gate';
import { goJson } from './goJson';
import type { JsonObject } from './goJson';
import type { LoggedRequest } from './requestLog';

/** Ollama protocol: the type of every reply that is not a stream, errors included. */
export const JSON_TYPE = 'application/json; charset=utf-8';

/** One HTTP reply. After the connection has gone, sending does nothing. */
export class HttpReply {
  /** Opens when the connection is over, whoever ended it. */
  readonly gone = new Gate();
  private endedByServer = false;

  constructor(
    private readonly response: ServerResponse,
    private readonly logged: LoggedRequest,
  ) {
    response.on('finish', () => logged.endedGate.open());
    response.on('close', () => {
      if (!response.writableFinished && !this.endedByServer) logged.closedGate.open();
      this.gone.open();
    });
  }

  /** True after the first byte of the reply. */
  get isStarted(): boolean {
    return this.logged.headersGate.isOpen;
  }

  /**
   * Sends bytes of a stream. The headers travel with the first of them, not before (Ollama protocol: headers wait for
   * queue, load and prompt evaluation). Resolves when the network has taken them.
   */
  async stream(bytes: Buffer, contentType: string): Promise<void> {
    if (this.gone.isOpen) return;
    if (!this.isStarted) this.response.writeHead(200, { 'Content-Type': contentType });
    this.logged.headersGate.open();
    if (bytes.length === 0) {
      this.response.flushHeaders();
      return;
    }
    const written = new Promise<void>((resolve) => this.response.write(bytes, () => resolve()));
    await Promise.race([written, this.gone.opened]);
  }

  /** Ends a stream. */
  end(): void {
    if (!this.gone.isOpen) this.response.end();
  }

  /** Sends a whole reply: one object without a newline. */
  json(status: number, body: JsonObject, contentType = JSON_TYPE): void {
    this.text(status, goJson(body), contentType);
  }

  /** Sends a whole reply of any kind; only its body if something was sent already. */
  text(status: number, body: string, contentType = 'text/plain'): void {
    if (this.gone.isOpen) return;
    if (!this.isStarted) {
      this.response.writeHead(status, { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) });
    }
    this.logged.headersGate.open();
    this.response.end(body);
  }

  /** Resolves when an ended reply has been handed to the network as a whole, or the connection is gone. */
  async settled(): Promise<void> {
    await Promise.race([this.logged.ended, this.gone.opened]);
  }

  /** Cuts the connection with a TCP reset. */
  reset(): void {
    this.endedByServer = true;
    this.response.socket?.resetAndDestroy();
  }

  /** Drops the connection because the server ends; the log does not count this as the client's doing. */
  drop(): void {
    this.endedByServer = true;
    this.response.destroy();
  }

  /** Resolves after a time in milliseconds, or at once when the connection is gone. */
  async pause(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const passed = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([passed, this.gone.opened]);
    clearTimeout(timer);
  }
}
