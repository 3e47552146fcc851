import type { Connection, SqlRow } from '../../src/extension/storage/connection';
import { sha256 } from './print';

/** A part as its rows say, with its streamed chunks put in place. Read without the product's own decoding. */
export interface StoredPart {
  readonly type: string;
  readonly state: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of text and thinking. */
  readonly text: string | undefined;
  /** Of a call with effects. */
  readonly mark: string | undefined;
}

export interface StoredMessage {
  readonly seq: number;
  readonly role: string;
  readonly status: string;
  readonly clientId: string | undefined;
  readonly reason: string | undefined;
  readonly parts: ReadonlyMap<number, StoredPart>;
}

export interface StoredConversation {
  readonly ulid: string;
  readonly title: string;
  readonly workspace: string;
  readonly messages: ReadonlyMap<number, StoredMessage>;
  /** State of its runs by fence, in the order in which the runs were added. */
  readonly runs: ReadonlyMap<number, string>;
  /** Ids of the messages that wait in its queue. */
  readonly queued: ReadonlySet<string>;
  /** What is allowed in its workspace, as JSON. */
  readonly rules: ReadonlySet<string>;
  /** What calls of it made of files, by {@link versionKey}: the SHA-256 of the bytes that the file really holds, before and after. */
  readonly versions: ReadonlyMap<string, StoredVersion>;
}

export interface StoredVersion {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The place of a call, and a file that it changed. */
export function versionKey(seq: number, idx: number, path: string): string {
  return `${seq} ${idx} ${path}`;
}

const SPAN = 4_294_967_296;

/** Every conversation of the file, one after the other. */
export async function* storedConversations(connection: Connection): AsyncIterable<StoredConversation> {
  const all = (sql: string, values: readonly number[] = []): Promise<readonly SqlRow[]> =>
    connection.exclusive((statements) => statements.all(sql, values));
  const rows = await all(
    'SELECT c.id, c.ulid, c.title, c.workspace, w.key FROM conversation c JOIN workspace w ON w.id = c.workspace ORDER BY c.id',
  );
  for (const row of rows) {
    const id = Number(row['id']);
    const range = [id * SPAN, id * SPAN + SPAN - 1];
    const messages = await all('SELECT * FROM message WHERE conversation = ? ORDER BY seq', [id]);
    const parts = await all(
      'SELECT p.*, CAST(b.data AS TEXT) AS long FROM part p LEFT JOIN blob b ON b.hash = p.blob WHERE p.id BETWEEN ? AND ? ORDER BY p.id',
      range,
    );
    const queued = await all('SELECT client_id FROM queued WHERE conversation = ?', [id]);
    const deltas = await all('SELECT * FROM part_delta WHERE part_id BETWEEN ? AND ? ORDER BY part_id, chunk', range);
    const runs = await all('SELECT fence, state FROM run WHERE conversation = ? ORDER BY id', [id]);
    const rules = await all('SELECT rule FROM permission WHERE workspace = ?', [Number(row['workspace'])]);
    const versions = await all(
      `SELECT v.seq, v.idx, v.path, b.data AS before, a.data AS after FROM file_version v
         LEFT JOIN blob b ON b.hash = v.before_hash LEFT JOIN blob a ON a.hash = v.after_hash WHERE v.conversation = ?`,
      [id],
    );
    const deltasOf = groupedBy(deltas, (delta) => Number(delta['part_id']));
    const partsOf = groupedBy(parts, (part) => Math.floor((Number(part['id']) % SPAN) / 256));
    yield {
      ulid: String(row['ulid']),
      title: String(row['title']),
      workspace: String(row['key']),
      messages: new Map(
        messages.map((message) => {
          const seq = Number(message['seq']);
          return [seq, messageOf(message, partsOf.get(seq) ?? [], deltasOf)];
        }),
      ),
      queued: new Set(queued.map((row) => String(row['client_id']))),
      rules: new Set(rules.map(({ rule }) => String(rule))),
      versions: new Map(
        versions.map(({ seq, idx, path, before, after }) => [
          versionKey(Number(seq), Number(idx), String(path)),
          { before: hashOf(before), after: hashOf(after) },
        ]),
      ),
      runs: new Map(runs.map((run) => [Number(run['fence']), String(run['state'])])),
    };
  }
}

function hashOf(data: unknown): string | undefined {
  return data instanceof Uint8Array ? sha256(data) : undefined;
}

function messageOf(
  row: SqlRow,
  parts: readonly SqlRow[],
  deltasOf: ReadonlyMap<number, readonly SqlRow[]>,
): StoredMessage {
  const reason = json(row['data'])['reason'];
  return {
    seq: Number(row['seq']),
    role: String(row['role']),
    status: String(row['status']),
    clientId: text(row['client_id']),
    reason: text(reason),
    parts: new Map(
      parts.map((part) => {
        const id = Number(part['id']);
        return [id % 256, partOf(part, deltasOf.get(id) ?? [])];
      }),
    ),
  };
}

function partOf(row: SqlRow, deltas: readonly SqlRow[]): StoredPart {
  const data = withLongResult(json(row['data']), text(row['long']));
  let whole = text(data['text']);
  for (const delta of deltas) {
    if (whole === undefined || Number(delta['at']) > whole.length) break;
    whole += String(delta['data']).slice(whole.length - Number(delta['at']));
  }
  return {
    type: String(row['type']),
    state: text(row['state']),
    data,
    text: whole,
    mark: text(record(data['arguments'])['mark']),
  };
}

/** A long result stands beside its part. */
function withLongResult(
  data: Readonly<Record<string, unknown>>,
  content: string | undefined,
): Readonly<Record<string, unknown>> {
  const result = data['result'];
  return content === undefined || typeof result !== 'object' ? data : { ...data, result: { ...result, content } };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function json(value: unknown): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(String(value)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function groupedBy<Row>(rows: readonly Row[], key: (row: Row) => number): ReadonlyMap<number, readonly Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}
