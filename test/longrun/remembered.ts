import type { SaidSoFar } from './bodyWatch';
import type { Summary, WindowLine } from './lines';
import type { Question } from './person';
import type { OpenLine } from './window';

type ToldLine = Extract<WindowLine, { readonly kind: 'asked' | 'kept' | 'compacted' | 'idle' }>;

/** What the windows were told and have told, and what therefore must be in the file and in the next body. */
export class Remembered {
  readonly problems: string[] = [];
  /** All that the person has written, as the file has it, by client id. */
  readonly #texts = new Map<string, string>();
  /** Messages that the file holds, by what the windows said. */
  readonly #kept = new Set<string>();
  /** Messages that began a turn, in order. */
  #asked: string[] = [];
  /** Messages that were sent and have begun no turn yet. */
  readonly #waiting = new Set<string>();
  readonly #prints = new Map<number, string>();
  readonly #answers: string[] = [];
  readonly #summaries: Summary[] = [];

  /** Messages of the person in the order in which they must stand in the file. */
  get asked(): readonly string[] {
    return this.#asked;
  }

  get kept(): ReadonlySet<string> {
    return this.#kept;
  }

  /** What the messages that have ended held when nothing ran, by their places. */
  get prints(): ReadonlyMap<number, string> {
    return this.#prints;
  }

  /** Whole answers of the model. */
  get answers(): readonly string[] {
    return this.#answers;
  }

  get compactions(): number {
    return this.#summaries.length;
  }

  get said(): SaidSoFar {
    const current = this.#asked.at(-1);
    const ids = current === undefined ? [...this.#waiting] : [current, ...this.#waiting];
    const summary = this.#summaries.at(-1)?.text;
    return {
      questions: ids.map((id) => this.textOf(id)),
      ...(summary === undefined ? {} : { summary }),
    };
  }

  textOf(clientId: string): string {
    return this.#texts.get(clientId) ?? '';
  }

  sent({ clientId, text }: Question): void {
    this.#texts.set(clientId, text.toWellFormed());
    this.#waiting.add(clientId);
  }

  told(line: ToldLine): void {
    switch (line.kind) {
      case 'asked':
        this.#waiting.delete(line.clientId);
        this.#asked.push(line.clientId);
        return;
      case 'kept':
        this.#kept.add(line.clientId);
        return;
      case 'compacted':
        this.#summaries.push(line);
        return;
      case 'idle':
        for (const { seq, print } of line.ended) this.#prints.set(seq, print);
    }
  }

  /** Answers that came whole, in a turn that came to its end. */
  heard(answers: readonly string[]): void {
    this.#answers.push(...answers);
  }

  /** What a new window knows: what was not in the file when the one before it died is gone. */
  opened({ own, queued, summary }: OpenLine): void {
    const known = new Set([...own, ...queued]);
    for (const id of this.#kept) {
      // Only the newest messages are loaded: of the older ones the end tells.
      if (!known.has(id) && this.#asked.slice(-own.length).includes(id)) {
        this.problems.push(`${id} was in the file, and a new window does not know it.`);
      }
    }
    const last = own.at(-1);
    const place = last === undefined ? -1 : this.#asked.lastIndexOf(last);
    this.#asked = this.#asked.slice(0, place + 1);
    this.#waiting.clear();
    for (const id of queued) this.#waiting.add(id);
    // A window may have died between the file's answer and its word.
    if (summary !== undefined && summary.covers > (this.#summaries.at(-1)?.covers ?? 0)) this.#summaries.push(summary);
  }
}
