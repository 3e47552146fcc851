import type { Action } from '../action';
import { sameAgainKey } from './digest';

/** What was allowed until the answer is done. It lives in memory only, and ends with the turn. */
export class AnswerGrants {
  readonly #keys = new Set<string>();

  add(action: Action): void {
    this.#keys.add(sameAgainKey(action));
  }

  cover(action: Action): boolean {
    return this.#keys.has(sameAgainKey(action));
  }
}
