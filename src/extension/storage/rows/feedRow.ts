import { FEED_ROWS } from '../../base/limits';
import type { Statements } from '../connection';

/** What of a conversation changed: its own row, a message, a part, who runs it, its queue, its life as a sub-agent. */
export type FeedKind = 'conversation' | 'message' | 'part' | 'run' | 'queue' | 'sub_agent';

/** One row for other windows. `conversation` is the integer key; streamed chunks have no rows. */
export interface FeedRow {
  readonly conversation: number;
  readonly kind: FeedKind;
  readonly seq?: number;
  readonly idx?: number;
}

/** After so many rows the oldest are dropped: doing it each time would write one more page for each change. */
const TRIM_EVERY = 100;

/** Appends to the table `change` within the transaction that makes the changes. Ids only grow: the newest row stays. */
export class FeedLog {
  #sinceTrim = TRIM_EVERY;

  async append(statements: Statements, rows: readonly FeedRow[]): Promise<void> {
    if (rows.length === 0) return;
    await statements.run(
      `INSERT INTO change (conversation, kind, seq, idx) VALUES ${rows.map(() => '(?, ?, ?, ?)').join(', ')}`,
      rows.flatMap(({ conversation, kind, seq, idx }) => [conversation, kind, seq ?? null, idx ?? null]),
    );
    this.#sinceTrim += rows.length;
    if (this.#sinceTrim < TRIM_EVERY) return;
    this.#sinceTrim = 0;
    await statements.run(`DELETE FROM change WHERE id <= (SELECT max(id) FROM change) - ?`, [FEED_ROWS]);
  }
}
