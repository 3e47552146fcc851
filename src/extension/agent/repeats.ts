import type { JsonObject } from '../../protocol/part';
import { REPEAT_PERIOD, REPEATS_ENDED, REPEATS_WARNED } from '../base/limits';
import type { ToolOutcome } from '../tools/tool';

/** What to do with a call that was made before: the `times`th one in a row, alone or in a cycle with others. */
export type Repeat = { readonly kind: 'new' } | { readonly kind: 'warned' | 'refused'; readonly times: number };

/** The same for calls that mean the same, in whatever order their arguments stand. */
export function signatureOf(name: string, args: JsonObject): string {
  return JSON.stringify([name, sorted(args)]);
}

/** The calls of one turn: whether the model goes round in circles, and what was answered before. */
export class Repeats {
  /** Calls by their signatures, each with the number of other answers that it had until then. */
  readonly #made: string[] = [];
  readonly #last = new Map<string, { readonly outcome: ToolOutcome; readonly others: number }>();
  readonly #answers = new Map<string, { readonly outcome: ToolOutcome; readonly same: number }>();

  /** Takes note of the next call. One whose answer was another one the last time is made for what is new. */
  made(signature: string): Repeat {
    this.#made.push(`${this.#last.get(signature)?.others ?? 0} ${signature}`);
    const times = Math.max(...Array.from({ length: REPEAT_PERIOD }, (_, index) => this.#rounds(index + 1)));
    if (times < REPEATS_WARNED) return { kind: 'new' };
    return { kind: times < REPEATS_ENDED ? 'warned' : 'refused', times };
  }

  /** What a call that only reads would be answered, as far as its last two answers tell. */
  answerTo(signature: string): ToolOutcome | undefined {
    const known = this.#answers.get(signature);
    return known !== undefined && known.same > 1 ? known.outcome : undefined;
  }

  /** Takes note of the answer to a call that only reads, so that it may be given again. */
  answered(signature: string, outcome: ToolOutcome): void {
    const known = this.#answers.get(signature);
    const same = known !== undefined && isSame(known.outcome, outcome) ? known.same + 1 : 1;
    this.#answers.set(signature, { outcome, same });
  }

  /** Takes note of the answer to a call that leaves everything as it is: another one than before is news. */
  told(signature: string, outcome: ToolOutcome): void {
    const known = this.#last.get(signature);
    const others = known === undefined ? 0 : known.others + (isSame(known.outcome, outcome) ? 0 : 1);
    this.#last.set(signature, { outcome, others });
  }

  /** A call had effects: whatever was answered before may be otherwise now. */
  changed(): void {
    this.#answers.clear();
  }

  /** How often the last `period` calls have been made in a row. */
  #rounds(period: number): number {
    let same = 0;
    for (let at = this.#made.length - 1; at >= period && this.#made[at] === this.#made[at - period]; at -= 1) same += 1;
    return Math.floor(same / period) + 1;
  }
}

function isSame(one: ToolOutcome, other: ToolOutcome): boolean {
  return one.ok === other.ok && one.content === other.content;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
