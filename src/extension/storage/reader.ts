import type { Conversation, ConversationSummary } from '../../protocol/conversation';
import { isConversationId, type ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';
import { PAGE_CHARS, PAGE_MESSAGES } from '../base/limits';
import { cutAt } from '../base/text';
import type { WorkspaceIdentity } from './change';
import type { Connection, SqlRow, Statements } from './connection';
import { messageFrom, partFrom } from './decode';
import { placeOf, rowId, rowRange } from './rowId';

/** A run of messages in order, the newest that were asked for. */
export interface Page {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
}

/** A conversation as it stands in the file, with its newest messages. */
export interface StoredConversation {
  readonly conversation: Conversation;
  readonly workspace: WorkspaceIdentity;
  readonly page: Page;
  /** Highest fence that any run of it had; 0 when there was none. */
  readonly lastFence: number;
}

const SUMMARY_TEXT_CHARS = 120;

/** Reads. What must agree (message, parts, chunks) is read in one short transaction: two statements can tear. */
export class Reader {
  readonly #connect: () => Promise<Connection>;

  constructor(connect: () => Promise<Connection>) {
    this.#connect = connect;
  }

  /** Conversations of a folder, newest first. Nothing is filtered by date. */
  async listConversations(workspaceKey: string): Promise<readonly ConversationSummary[]> {
    const connection = await this.#connect();
    return connection.transaction('read', async (statements) => {
      const rows = await statements.all(
        `SELECT c.*, EXISTS (SELECT 1 FROM run r WHERE r.conversation = c.id AND r.state = 'live') AS running,
                (SELECT count(*) FROM message m WHERE m.id BETWEEN c.id * 4294967296 AND c.id * 4294967296 + 4294967295) AS messages,
                (SELECT p.data FROM message m JOIN part p ON p.id = m.id
                  WHERE m.id BETWEEN c.id * 4294967296 AND c.id * 4294967296 + 4294967295 AND m.role = 'user' AND p.type = 'text'
                  ORDER BY m.id DESC LIMIT 1) AS last_user
           FROM conversation c JOIN workspace w ON w.id = c.workspace
          WHERE w.key = ? AND c.kind = 'chat' AND c.trashed_at IS NULL
          ORDER BY c.updated_at DESC, c.id DESC`,
        [workspaceKey],
      );
      return rows.flatMap(summaryFrom);
    });
  }

  /** The newest conversation of a folder, if it has one. */
  async newestConversation(workspaceKey: string): Promise<ConversationId | undefined> {
    const connection = await this.#connect();
    const row = await connection.exclusive((statements) =>
      statements.get(
        `SELECT c.ulid FROM conversation c JOIN workspace w ON w.id = c.workspace
          WHERE w.key = ? AND c.kind = 'chat' AND c.trashed_at IS NULL ORDER BY c.updated_at DESC, c.id DESC LIMIT 1`,
        [workspaceKey],
      ),
    );
    const ulid = row?.['ulid'];
    return typeof ulid === 'string' && isConversationId(ulid) ? ulid : undefined;
  }

  /** A conversation with its newest messages; undefined when the file does not hold it. */
  async readConversation(id: ConversationId): Promise<StoredConversation | undefined> {
    const connection = await this.#connect();
    return connection.transaction('read', async (statements) => {
      const row = await statements.get(
        `SELECT c.*, w.key AS workspace_key, w.name AS workspace_name, (SELECT coalesce(max(fence), 0) FROM run r WHERE r.conversation = c.id) AS last_fence
           FROM conversation c JOIN workspace w ON w.id = c.workspace WHERE c.ulid = ?`,
        [id],
      );
      if (row === undefined) return undefined;
      const conversation = conversationFrom(row);
      if (conversation === undefined) return undefined;
      return {
        conversation,
        workspace: { key: String(row['workspace_key']), name: String(row['workspace_name']) },
        page: await readPage(statements, Number(row['id']), undefined),
        lastFence: Number(row['last_fence']),
      };
    });
  }

  /** The messages before `beforeSeq`. */
  async readOlderPage(id: ConversationId, beforeSeq: number): Promise<Page> {
    const connection = await this.#connect();
    return connection.transaction('read', async (statements) => {
      const row = await statements.get(`SELECT id FROM conversation WHERE ulid = ?`, [id]);
      return row === undefined ? { messages: [], hasOlder: false } : readPage(statements, Number(row['id']), beforeSeq);
    });
  }

  /** Highest fence that any run of the conversation had; 0 when there was none. */
  async lastFence(id: ConversationId): Promise<number> {
    const connection = await this.#connect();
    const row = await connection.exclusive((statements) =>
      statements.get(
        `SELECT coalesce(max(r.fence), 0) AS fence FROM run r JOIN conversation c ON c.id = r.conversation WHERE c.ulid = ?`,
        [id],
      ),
    );
    return Number(row?.['fence']);
  }
}

/** Newest first until the page is full by messages or by characters; at least one message. */
async function readPage(statements: Statements, conversation: number, beforeSeq: number | undefined): Promise<Page> {
  const [first, end] = rowRange(conversation);
  const before = beforeSeq === undefined ? end : rowId(conversation, beforeSeq) - 1;
  const rows = await statements.all(
    `SELECT m.*, (SELECT coalesce(sum(length(p.data)), 0) FROM part p WHERE p.id BETWEEN m.id AND m.id + 255) +
                 (SELECT coalesce(sum(length(d.data)), 0) FROM part_delta d WHERE d.part_id BETWEEN m.id AND m.id + 255) AS chars
       FROM message m WHERE m.id BETWEEN ? AND ? ORDER BY m.id DESC LIMIT ?`,
    [first, before, PAGE_MESSAGES + 1],
  );
  let chars = 0;
  let count = 0;
  for (const row of rows.slice(0, PAGE_MESSAGES)) {
    chars += Number(row['chars']);
    if (count > 0 && chars > PAGE_CHARS) break;
    count += 1;
  }
  const kept = rows.slice(0, count).toReversed();
  const oldest = kept[0];
  const newest = kept.at(-1);
  if (oldest === undefined || newest === undefined) return { messages: [], hasOlder: false };
  const range = rowRange(conversation, Number(oldest['seq']), Number(newest['seq']));
  const parts = await statements.all(`SELECT * FROM part WHERE id BETWEEN ? AND ? ORDER BY id`, range);
  const deltas = await statements.all(
    `SELECT * FROM part_delta WHERE part_id BETWEEN ? AND ? ORDER BY part_id, chunk`,
    range,
  );
  const deltasOf = new Map<unknown, SqlRow[]>();
  for (const delta of deltas) {
    const list = deltasOf.get(delta['part_id']) ?? [];
    list.push(delta);
    deltasOf.set(delta['part_id'], list);
  }
  const partsOf = new Map<number, Part[]>();
  for (const row of parts) {
    const { seq } = placeOf(Number(row['id']));
    const list = partsOf.get(seq) ?? [];
    list.push(partFrom(row, deltasOf.get(row['id']) ?? []));
    partsOf.set(seq, list);
  }
  return {
    messages: kept.map((row) => messageFrom(row, partsOf.get(Number(row['seq'])) ?? [])),
    hasOlder: rows.length > count,
  };
}

function conversationFrom(row: SqlRow): Conversation | undefined {
  const id = row['ulid'];
  if (typeof id !== 'string' || !isConversationId(id)) return undefined;
  return {
    id,
    kind: row['kind'] === 'sub_agent' ? 'sub_agent' : 'chat',
    title: String(row['title']),
    createdAt: Number(row['created_at']),
    ...(typeof row['model'] === 'string' ? { model: row['model'] } : {}),
  };
}

function summaryFrom(row: SqlRow): readonly ConversationSummary[] {
  const conversation = conversationFrom(row);
  if (conversation === undefined) return [];
  const last = row['last_user'] === null ? undefined : partFrom({ type: 'text', data: row['last_user'] }, []);
  return [
    {
      ...conversation,
      updatedAt: Number(row['updated_at']),
      messageCount: Number(row['messages']),
      running: row['running'] === 1,
      ...(last?.type === 'text' ? { lastUserText: cutAt(last.text.replaceAll(/\s+/g, ' '), SUMMARY_TEXT_CHARS) } : {}),
    },
  ];
}
