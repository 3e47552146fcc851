import { request } from 'node:http';
import type { JsonObject } from './goJson';

/** A reply as bytes, without a client library between. */
export interface RawReply {
  /** Undefined if the connection ended before the headers. */
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  /** The HTTP chunks of the body. */
  readonly chunks: readonly Buffer[];
  /** The whole body as UTF-8. */
  readonly text: string;
  /** `end`, or the error code of a connection that broke. */
  readonly ending: string;
}

/** Sends one request on a connection of its own and waits for the end of the reply; never rejects. */
export function rawRequest(url: string, method = 'GET', body?: JsonObject | string): Promise<RawReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status: number | undefined;
    let contentType: string | undefined;
    const finish = (ending: string): void =>
      resolve({ status, contentType, chunks, text: Buffer.concat(chunks).toString('utf8'), ending });
    const outgoing = request(url, { method, agent: false }, (response) => {
      status = response.statusCode;
      contentType = response.headers['content-type'];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => finish('end'));
      response.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? error.message));
    outgoing.end(typeof body === 'object' ? JSON.stringify(body) : body);
  });
}

/** Sends a chat request with one question. */
export function rawChat(url: string, fields: JsonObject = {}): Promise<RawReply> {
  const messages = [{ role: 'user', content: 'Hi' }];
  return rawRequest(`${url}/api/chat`, 'POST', { model: 'llama3.2', messages, ...fields });
}
