import { Ollama } from 'ollama/browser';
import type { Clock } from '../base/clock';
import { QUESTION_BYTES, SERVER_QUESTION_MS } from '../base/limits';
import type { Log } from '../base/log';
import { failed, succeeded, type Result } from '../base/result';
import { Exchange, type ExchangeOptions } from './exchange';
import type { ExtraHeaders } from './extraHeaders';
import { failureOf } from './failure';
import type { ModelFailure, QuestionFailure } from './modelClient';

/** One server: how requests reach it. Each has a client of the library and a connection of its own. */
export class ServerConnection {
  readonly clock: Clock;
  readonly log: Log;
  readonly #baseUrl: string;
  readonly #headers: ExtraHeaders | undefined;

  /** @param baseUrl as `parseAddress` gives it */
  constructor(baseUrl: string, clock: Clock, log: Log, headers: ExtraHeaders | undefined) {
    this.#baseUrl = baseUrl;
    this.clock = clock;
    this.log = log;
    this.#headers = headers;
  }

  exchange(signal: AbortSignal, options: Pick<ExchangeOptions, 'maxBytes' | 'read'> = {}): Exchange {
    return new Exchange(signal, this.clock, {
      ...options,
      ...(this.#headers === undefined ? {} : { headers: this.#headers }),
    });
  }

  library(fetch: typeof globalThis.fetch): Ollama {
    return new Ollama({ host: this.#baseUrl, fetch });
  }

  /**
   * Asks for one object, in the time there is for it (ms; without a limit for `'patiently'`). `read` answers undefined
   * for what no such server says.
   */
  async ask<T>(
    send: (client: Ollama) => Promise<unknown>,
    read: (answer: unknown) => T | undefined,
    signal: AbortSignal,
    limit: number | 'patiently' = SERVER_QUESTION_MS,
  ): Promise<Result<T, QuestionFailure>> {
    const exchange = this.exchange(signal, { maxBytes: QUESTION_BYTES });
    let late = false;
    const expire = (): void => {
      late = true;
      exchange.close();
    };
    const cancel = limit === 'patiently' ? undefined : this.clock.after(limit, expire);
    try {
      const value = read(await send(this.library(exchange.fetch)));
      return value === undefined ? failed(foreignAnswer) : succeeded(value);
    } catch (error) {
      if (signal.aborted) return failed({ reason: 'aborted', detail: '' });
      if (late) return failed({ reason: 'unreachable', detail: `No answer within ${Number(limit) / 1_000} s.` });
      const whole = exchange.refusal === undefined && exchange.ending === 'whole';
      return failed(whole ? foreignAnswer : failureOf(exchange, error));
    } finally {
      cancel?.();
      exchange.close();
    }
  }
}

const foreignAnswer: ModelFailure = {
  reason: 'server_error',
  detail: 'What answers at this address does not answer like Ollama.',
};
