import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  /** Milliseconds since the start. */
  readonly at: number;
  readonly who: string;
  readonly line: object;
}

/** Events of one conversation that are kept in memory for the report; the files hold all. */
const KEPT = 2_000;

/** Everything that was heard and done, in two files of JSON lines: what was acknowledged, and all else. */
export class Journal {
  readonly #started = performance.now();
  readonly #acks: number;
  readonly #events: number;
  readonly #byConversation = new Map<string, Entry[]>();

  constructor(folder: string) {
    this.#acks = openSync(join(folder, 'acks.jsonl'), 'a');
    this.#events = openSync(join(folder, 'events.jsonl'), 'a');
  }

  get now(): number {
    return Math.round(performance.now() - this.#started);
  }

  write(who: string, line: { readonly kind: string; readonly conversation?: string }): Entry {
    const entry = { at: this.now, who, line };
    writeSync(line.kind === 'ack' ? this.#acks : this.#events, `${JSON.stringify({ at: entry.at, who, ...line })}\n`);
    if (line.conversation !== undefined) {
      const entries = this.#byConversation.get(line.conversation) ?? [];
      entries.push(entry);
      if (entries.length > KEPT) entries.splice(0, KEPT / 2);
      this.#byConversation.set(line.conversation, entries);
    }
    return entry;
  }

  /** What happened to a conversation around a moment, in lines for a person. */
  around(conversation: string, at: number | undefined, before = 4, after = 8): readonly string[] {
    const entries = this.#byConversation.get(conversation) ?? [];
    const found = at === undefined ? -1 : entries.findIndex((entry) => entry.at >= at);
    const middle = found < 0 ? entries.length : found;
    return entries
      .slice(Math.max(0, middle - before), middle + after)
      .map((entry) => `${(entry.at / 1_000).toFixed(3)} s, ${entry.who}: ${JSON.stringify(entry.line)}`);
  }
}
