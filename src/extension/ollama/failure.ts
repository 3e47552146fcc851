import { cutAt } from '../base/text';
import { SERVER_WORDS_CHARS } from '../base/limits';
import type { Exchange } from './exchange';
import { UnsendableHeaders } from './extraHeaders';
import type { ModelFailure } from './modelClient';
import { faultOfRefusal } from './serverWords';

/**
 * Why an exchange brought no whole answer, by how far it came. `thrown` is what ended it, for the case that the
 * network had no part in it.
 */
export function failureOf(exchange: Exchange, thrown: unknown): ModelFailure {
  const { refusal, retryAfterMs } = exchange;
  if (refusal !== undefined) {
    return {
      reason: faultOfRefusal(refusal.status, refusal.words, refusal.fromOllama),
      detail: refusal.words,
      status: refusal.status,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  if (exchange.error !== undefined) {
    const detail = systemWords(exchange.error);
    if (speaksAnotherProtocol(exchange.error)) {
      return { reason: 'server_error', detail: `What answers at this address does not speak HTTP: ${detail}` };
    }
    return { reason: exchange.connected ? 'cut_off' : 'unreachable', detail };
  }
  if (exchange.ending === 'whole' || exchange.ending === 'broken') {
    return { reason: 'cut_off', detail: 'The server ended the answer without saying that it is done.' };
  }
  // A request that cannot be written is as good as one that the server does not understand.
  if (thrown instanceof UnsendableHeaders) return { reason: 'bad_request', detail: thrown.message };
  return { reason: 'internal', detail: systemWords(thrown) };
}

/** Node's HTTP parser names its faults so. */
function speaksAnotherProtocol(error: unknown): boolean {
  return codeOf(error)?.startsWith('HPE_') ?? false;
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** An error in words. A host with several addresses fails once for each, under an error that has no words itself. */
function systemWords(error: unknown): string {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const words = errors.map((one) => (one instanceof Error ? one.message : String(one))).join('\n');
  return cutAt(words === '' ? (codeOf(error) ?? 'unknown') : words, SERVER_WORDS_CHARS).toWellFormed();
}
