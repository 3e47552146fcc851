import { cutAt } from '../base/text';
import { RETRY_AFTER_MS, SERVER_WORDS_CHARS } from '../base/limits';
import { isJsonObject, parseJson, stringIn } from './json';

/** A response that says no: an HTTP status, and the words in its body where it has any. */
export interface Refusal {
  readonly status: number;
  /** At most `SERVER_WORDS_CHARS`, never empty. */
  readonly words: string;
  /** Whether the words are an error as Ollama writes it, so that the status means what Ollama means by it. */
  readonly fromOllama: boolean;
}

/** What the server says in the body of a refusal. Web pages of proxies are named, not quoted. */
export function readRefusal(status: number, statusText: string, contentType: string, body: string): Refusal {
  const named = statusText === '' ? `HTTP ${status}` : `HTTP ${status} ${statusText}`;
  if (contentType.includes('text/html')) {
    return refusal(status, `${named}: a web page came instead of an answer of Ollama`, false);
  }
  const record = parseJson(body);
  if (isJsonObject(record) && 'error' in record) {
    // Cloud models need a sign-in, whose address stands beside the error.
    const signIn = stringIn(record['signin_url']);
    const words = errorWords(record['error']) || named;
    return refusal(status, signIn === undefined ? words : `${words}\n${signIn}`, true);
  }
  const text = body.trim();
  return refusal(status, text === '' ? named : `${named}: ${text}`, false);
}

/**
 * The words of an `error` key. Some servers fill it with an object, or with the JSON text of one that came from the
 * program that runs the model: then the message in it is what they say.
 */
export function errorWords(error: unknown): string {
  const inner = typeof error === 'string' ? parseJson(error) : error;
  const message = messageIn(inner);
  if (message !== undefined) return clean(message);
  return clean(typeof error === 'string' ? error : (JSON.stringify(error) ?? ''));
}

/** How long (ms) a `Retry-After` header asks to be left alone: in seconds, or until a date. Undefined for anything else. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MS) : undefined;
}

function messageIn(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  const words = stringIn(value['message']) ?? '';
  return words === '' ? messageIn(value['error']) : words;
}

function refusal(status: number, words: string, fromOllama: boolean): Refusal {
  return { status, words: clean(words), fromOllama };
}

function clean(words: string): string {
  return cutAt(words, SERVER_WORDS_CHARS).toWellFormed();
}
