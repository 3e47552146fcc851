import { isConversationId, type ConversationId } from '../../../protocol/ids';
import type { Connection, Statements } from '../connection';
import type { FeedKind } from '../rows/feedRow';

/** One change that some window made; this window's own may be among them. */
export interface FeedChange {
  readonly conversationId: ConversationId;
  readonly kind: FeedKind;
  readonly seq?: number;
  readonly idx?: number;
}

/**
 * `same`: no other window wrote anything. `changes`: others wrote, perhaps only streamed text, of which there are no rows.
 * `missed`: more changed than the feed holds; whatever is shown must be read anew.
 */
export type FeedBatch =
  | { readonly kind: 'same' }
  | { readonly kind: 'changes'; readonly changes: readonly FeedChange[] }
  | { readonly kind: 'missed' };

/** What other windows changed since the last look. A look that finds nothing costs some microseconds. */
export class ChangeFeed {
  readonly #connect: () => Promise<Connection>;
  #connection: Connection | undefined;
  #version: number | undefined;
  #seen: number | undefined;

  /** `connect` answers the writer's connection: its `data_version` does not change by this window's own writes. */
  constructor(connect: () => Promise<Connection>) {
    this.#connect = connect;
  }

  /** Up to where the feed was read; undefined before the first look. */
  get position(): number | undefined {
    return this.#seen;
  }

  /** Throws {@link StorageError}. The first look answers `missed`. */
  async poll(): Promise<FeedBatch> {
    const connection = await this.#connect();
    return connection.exclusive(async (statements) => {
      const version = Number((await statements.get('PRAGMA data_version'))?.['data_version']);
      if (this.#connection === connection && this.#version === version) return { kind: 'same' };
      const seen = this.#seen;
      // With the row that was seen last: in one statement, since other windows drop old rows between two.
      const rows =
        seen === undefined
          ? []
          : await statements.all(
              `SELECT f.id, c.ulid, f.kind, f.seq, f.idx FROM change f LEFT JOIN conversation c ON c.id = f.conversation
                WHERE f.id >= ? ORDER BY f.id`,
              [seen],
            );
      const missed = seen === undefined || Number(rows[0]?.['id'] ?? (seen === 0 ? 1 : Infinity)) > seen + 1;
      const last = missed ? await newestOf(statements) : Number(rows.at(-1)?.['id'] ?? 0);
      // Taken only now: a look that failed on its way is made again.
      this.#connection = connection;
      this.#version = version;
      // A damaged number says nothing of what comes after it: then whatever is shown is read anew each time.
      this.#seen = Number.isSafeInteger(last) ? last : undefined;
      if (missed) return { kind: 'missed' };
      return { kind: 'changes', changes: rows.filter(({ id }) => Number(id) > seen).flatMap(changeFrom) };
    });
  }
}

async function newestOf(statements: Statements): Promise<number> {
  return Number((await statements.get('SELECT max(id) AS newest FROM change'))?.['newest'] ?? 0);
}

function changeFrom(row: Readonly<Record<string, unknown>>): readonly FeedChange[] {
  const { ulid, kind, seq, idx } = row;
  if (typeof ulid !== 'string' || !isConversationId(ulid)) return [];
  return [
    {
      conversationId: ulid,
      kind: kind as FeedKind,
      ...(typeof seq === 'number' ? { seq } : {}),
      ...(typeof idx === 'number' ? { idx } : {}),
    },
  ];
}
