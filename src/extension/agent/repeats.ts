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
  readonly #made: string[] = [];
  readonly #answers = new Map<string, { readonly outcome: ToolOutcome; readonly same: number }>();

  /** Takes note of the next call. */
  made(signature: string): Repeat {
    this.#made.push(signature);
    const times = Math.max(...Array.from({ length: REPEAT_PERIOD }, (_, index) => this.#rounds(index + 1)));
    if (times < REPEATS_WARNED) return { kind: 'new' };
    return { kind: times < REPEATS_ENDED ? 'warned' : 'refused', times };
  }

  /** What a call that only reads would be answered, as far as its last two answers tell. */
  answerTo(signature: string): ToolOutcome | undefined {
    const known = this.#answers.get(signature);
    return known !== undefined && known.same > 1 ? known.outcome : undefined;
  }

  /** Takes note of the answer to a call that only reads. */
  answered(signature: string, outcome: ToolOutcome): void {
    const known = this.#answers.get(signature);
    const same = known?.outcome.ok === outcome.ok && known.outcome.content === outcome.content;
    this.#answers.set(signature, { outcome, same: same ? known.same + 1 : 1 });
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

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
