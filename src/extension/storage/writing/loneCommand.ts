import { FEED_ROWS } from '../../base/limits';
import type { Command, WriteOutcome, WriterIdentity } from '../change';
import type { Connection, SqlValue, Statements } from '../connection';
import { messageData, partColumns } from '../rows/encode';
import { NEWEST_VERSION } from '../migrations/all';
import { rowId } from '../rows/rowId';
import { StorageError } from '../storageError';

/** What a trigger says when it refuses: these words travel in the message of SQLite's error. */
const FENCED = 'stale_fence';
const NEWER = 'newer_writer';

/**
 * The commands that come alone most often, each as one statement. Between two statements of a transaction this process
 * may be held up by anything that runs in the editor's extension host, and all other windows wait for the lock meanwhile;
 * a single statement holds it only while SQLite works. It is written to a view that a trigger takes apart. Views and
 * triggers are temporary: they belong to the connection, and no code lives in the file.
 */
export class LoneCommands {
  readonly #identity: () => WriterIdentity;
  readonly #ready = new WeakSet<Connection>();

  constructor(identity: () => WriterIdentity) {
    this.#identity = identity;
  }

  /** `undefined`: the command is not of these, or can never be written as it is; then nothing was done. */
  async write(
    connection: Connection,
    command: Command,
    keyOf: (statements: Statements) => Promise<number>,
  ): Promise<WriteOutcome | undefined> {
    const { type } = command.change;
    if (type !== 'message_added' && type !== 'delta' && type !== 'part_set') return undefined;
    return connection.exclusive(async (statements) => {
      if (!this.#ready.has(connection)) {
        await statements.exec(VIEWS);
        this.#ready.add(connection);
      }
      try {
        const conversation = await keyOf(statements);
        const row = rowOf(command, conversation);
        if (row === undefined) return undefined;
        const run = [NEWEST_VERSION, conversation, this.#identity().owner, command.fence ?? null];
        const values = [...run, ...row.values];
        await statements.run(`INSERT INTO ${row.view} VALUES (${values.map(() => '?').join(', ')})`, values);
        return 'written';
      } catch (thrown) {
        const error = StorageError.from(thrown);
        if (error.message.includes(FENCED)) return 'fenced';
        if (error.message.includes(NEWER)) throw StorageError.newer(NEWEST_VERSION);
        if (error.kind === 'permanent') return undefined;
        throw error;
      }
    });
  }
}

/** The view that takes the command, and the row for it; undefined for what needs more than one statement. */
function rowOf(
  { change, at }: Command,
  conversation: number,
): { readonly view: string; readonly values: readonly SqlValue[] } | undefined {
  if (change.type === 'delta') {
    const id = rowId(conversation, change.seq, change.idx);
    return { view: 'add_delta', values: [id, change.chunk, change.at, change.text] };
  }
  if (change.type === 'part_set') {
    const { type, state, data, blob, image } = partColumns(change.part);
    if (blob !== undefined || image !== undefined) return undefined;
    const { seq, idx } = change;
    return { view: 'set_part', values: [rowId(conversation, seq, idx), type, state, data, seq, idx] };
  }
  if (change.type !== 'message_added') return undefined;
  const { message } = change;
  const { seq, role, status, clientId, createdAt } = message;
  const parts = message.parts.map(partColumns);
  if (parts.some(({ blob, image }) => blob !== undefined || image !== undefined)) return undefined;
  const id = rowId(conversation, seq);
  return {
    view: 'add_message',
    values: [id, seq, role, status, clientId ?? null, createdAt, messageData(message), JSON.stringify(parts), at],
  };
}

/** What each of the triggers does first. */
const CHECKS = `
  SELECT RAISE(ABORT, '${NEWER}') FROM meta WHERE key = 'min_writer' AND CAST(value AS INTEGER) NOT BETWEEN 1 AND NEW.build;
  SELECT RAISE(ABORT, '${FENCED}') WHERE NEW.fence IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM run WHERE conversation = NEW.conversation AND owner = NEW.owner AND fence = NEW.fence AND state = 'live');`;

/** What those of them do last that other windows are told of. */
const TRIM = `
  DELETE FROM change WHERE (SELECT max(id) FROM change) % 100 = 0 AND id <= (SELECT max(id) FROM change) - ${FEED_ROWS};`;

const VIEWS = `
CREATE TEMP VIEW add_message AS SELECT 0 AS build, 0 AS conversation, '' AS owner, 0 AS fence, 0 AS id, 0 AS seq,
  '' AS role, '' AS status, '' AS client_id, 0 AS created_at, '' AS data, '' AS parts, 0 AS at;
CREATE TEMP TRIGGER add_message_now INSTEAD OF INSERT ON add_message BEGIN ${CHECKS}
  INSERT INTO message (id, conversation, seq, role, status, client_id, created_at, data)
    VALUES (NEW.id, NEW.conversation, NEW.seq, NEW.role, NEW.status, NEW.client_id, NEW.created_at, NEW.data);
  INSERT INTO part (id, type, state, data)
    SELECT NEW.id + key, value ->> 'type', value ->> 'state', value ->> 'data' FROM json_each(NEW.parts) ORDER BY key;
  DELETE FROM queued WHERE conversation = NEW.conversation AND client_id = NEW.client_id;
  UPDATE conversation SET updated_at = NEW.at
    WHERE id = NEW.conversation AND updated_at NOT BETWEEN NEW.at - 999 AND NEW.at;
  INSERT INTO change (conversation, kind, seq) VALUES (NEW.conversation, 'message', NEW.seq); ${TRIM}
END;

CREATE TEMP VIEW add_delta AS SELECT 0 AS build, 0 AS conversation, '' AS owner, 0 AS fence,
  0 AS part_id, 0 AS chunk, 0 AS at, '' AS data;
CREATE TEMP TRIGGER add_delta_now INSTEAD OF INSERT ON add_delta BEGIN ${CHECKS}
  INSERT INTO part_delta (part_id, chunk, at, data) VALUES (NEW.part_id, NEW.chunk, NEW.at, NEW.data);
END;

CREATE TEMP VIEW set_part AS SELECT 0 AS build, 0 AS conversation, '' AS owner, 0 AS fence,
  0 AS id, '' AS type, '' AS state, '' AS data, 0 AS seq, 0 AS idx;
CREATE TEMP TRIGGER set_part_now INSTEAD OF INSERT ON set_part BEGIN ${CHECKS}
  INSERT INTO part (id, type, state, data) VALUES (NEW.id, NEW.type, NEW.state, NEW.data)
    ON CONFLICT (id) DO UPDATE SET type = excluded.type, state = excluded.state, data = excluded.data, blob = NULL;
  DELETE FROM part_delta WHERE part_id = NEW.id;
  INSERT INTO change (conversation, kind, seq, idx) VALUES (NEW.conversation, 'part', NEW.seq, NEW.idx); ${TRIM}
END;
`;
