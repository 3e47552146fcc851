import { cutAt } from '../base/text';
import { SERVER_WORDS_CHARS } from '../base/limits';
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
    const words = errorWords(record['error']);
    return refusal(status, signIn === undefined ? words || named : `${words}\n${signIn}`, true);
  }
  const text = body.trim();
  return refusal(status, text === '' ? named : `${named}: ${text}`, false);
}

/** The words of an `error` key, which some servers fill with an object. */
export function errorWords(error: unknown): string {
  return clean(typeof error === 'string' ? error : (JSON.stringify(error) ?? ''));
}

function refusal(status: number, words: string, fromOllama: boolean): Refusal {
  return { status, words: clean(words), fromOllama };
}

function clean(words: string): string {
  return cutAt(words, SERVER_WORDS_CHARS).toWellFormed();
}
