import type { Conversation, ConversationSummary } from '../../../protocol/conversation';
import type { Draft } from '../../../protocol/frame';
import { isConversationId, type ConversationId } from '../../../protocol/ids';
import type { QueuedMessage } from '../../../protocol/status';
import type { SubAgent } from '../../../protocol/subAgent';
import { pause, type Clock } from '../../base/clock';
import { READ_TRIES, WRITE_RETRY_FIRST_MS } from '../../base/limits';
import { cutAt } from '../../base/text';
import { readBlob } from '../rows/blobRows';
import type { StoredMode, WorkspaceIdentity } from '../change';
import type { ConnectionSource, SqlRow, Statements } from '../connection';
import { modeFrom, partFrom } from '../rows/decode';
import { readPage, type Page } from './page';
import { readPermissions, type StoredPermission } from '../rows/permissionRows';
import { readQueue } from '../rows/queueRows';
import { StorageError } from '../storageError';
import { subAgentFrom, SUB_AGENTS } from '../rows/subAgentRow';
import { findGrowing, readUpdate, type ChunkCursor, type Update, type UpdateRequest } from './update';
import { readVersions, type StoredVersion } from '../rows/versionRows';

/** A conversation as it stands in the file, with its newest messages. */
export interface StoredConversation {
  readonly conversation: Conversation;
  readonly workspace: WorkspaceIdentity;
  readonly mode: StoredMode;
  readonly page: Page;
  /** Highest fence of a run that was over when this was read, or is this window's own; 0: there is none. */
  readonly seenFence: number;
  readonly queue: readonly QueuedMessage[];
  readonly draft?: Draft;
  /** Changes of it that the file refused for good. */
  readonly rejected: number;
  /** Whether calls of it wait for an answer while no window runs it. */
  readonly suspended: boolean;
  /** Where streamed text goes on, if any streams. */
  readonly growing?: ChunkCursor;
}

const SUMMARY_TEXT_CHARS = 120;

/** A lock; or the connection was closed between asking for it and using it, because the file is opened anew. */
const PASSING: ReadonlySet<string> = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_MISUSE']);

/** Reads. What must agree (message, parts, chunks) is read in one short transaction: two statements can tear. */
export class Reader {
  readonly #source: ConnectionSource;
  readonly #clock: Clock;
  readonly #owner: () => string;

  /** `owner`: of this window's runs; none, where nothing is run. */
  constructor(source: ConnectionSource, clock: Clock, owner = (): string => '') {
    this.#source = source;
    this.#clock = clock;
    this.#owner = owner;
  }

  /** Conversations of a folder, newest first. Nothing is filtered by date. */
  listConversations(workspaceKey: string): Promise<readonly ConversationSummary[]> {
    return this.#read(async (statements) => {
      const rows = await statements.all(
        `SELECT c.*, EXISTS (SELECT 1 FROM run r WHERE r.conversation = c.id AND r.state <> 'ended' AND r.state = 'live') AS running,
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
  newestConversation(workspaceKey: string): Promise<ConversationId | undefined> {
    return this.#read(async (statements) => {
      const rows = await statements.all(
        `SELECT c.ulid FROM conversation c JOIN workspace w ON w.id = c.workspace
          WHERE w.key = ? AND c.kind = 'chat' AND c.trashed_at IS NULL ORDER BY c.updated_at DESC, c.id DESC LIMIT 10`,
        [workspaceKey],
      );
      // A damaged id hides only itself.
      return rows.flatMap(({ ulid }) => (typeof ulid === 'string' && isConversationId(ulid) ? [ulid] : []))[0];
    });
  }

  /** A conversation with its newest messages; undefined when the file does not hold it. */
  readConversation(id: ConversationId): Promise<StoredConversation | undefined> {
    return this.#read(async (statements) => {
      const row = await statements.get(
        `SELECT c.*, w.key AS workspace_key, w.name AS workspace_name,
                (SELECT coalesce(max(fence), 0) FROM run r
                  WHERE r.conversation = c.id AND (r.state <> 'live' OR r.owner = ?2)) AS seen_fence,
                EXISTS (SELECT 1 FROM run r WHERE r.conversation = c.id AND r.state <> 'ended' AND r.state = 'suspended') AS suspended,
                (SELECT count(*) FROM rejected j WHERE j.conversation = c.ulid) AS rejected
           FROM conversation c JOIN workspace w ON w.id = c.workspace WHERE c.ulid = ?1`,
        [id, this.#owner()],
      );
      if (row === undefined) return undefined;
      const conversation = conversationFrom(row);
      if (conversation === undefined) return undefined;
      const key = Number(row['id']);
      const draft = await statements.get(`SELECT text, updated_at FROM draft WHERE conversation = ?`, [key]);
      const growing = await findGrowing(statements, key);
      return {
        conversation,
        workspace: { key: String(row['workspace_key']), name: String(row['workspace_name']) },
        mode: modeFrom(row['mode']),
        page: await readPage(statements, key, undefined),
        seenFence: Number(row['seen_fence']),
        rejected: Number(row['rejected']),
        suspended: row['suspended'] === 1,
        queue: await readQueue(statements, key),
        ...(growing === undefined ? {} : { growing }),
        ...(draft === undefined ? {} : { draft: { text: String(draft['text']), at: Number(draft['updated_at']) } }),
      };
    });
  }

  /** The messages before `beforeSeq`. Throws when the file does not hold the conversation (yet). */
  readOlderPage(id: ConversationId, beforeSeq: number): Promise<Page> {
    return this.#read(async (statements) => {
      const row = await statements.get(`SELECT id FROM conversation WHERE ulid = ?`, [id]);
      if (row !== undefined) return readPage(statements, Number(row['id']), beforeSeq);
      throw new StorageError('transient', 'MISSING', `no ${id}`, 'The conversation is not in the history file yet.');
    });
  }

  /** What became of a followed conversation; undefined when the file does not hold it. */
  readUpdate(id: ConversationId, request: UpdateRequest): Promise<Update | undefined> {
    return this.#read((statements) => readUpdate(statements, id, request));
  }

  readQueue(id: ConversationId): Promise<readonly QueuedMessage[]> {
    return this.#read(async (statements) => {
      const row = await statements.get(`SELECT id FROM conversation WHERE ulid = ?`, [id]);
      return row === undefined ? [] : readQueue(statements, Number(row['id']));
    });
  }

  /** What is allowed in a folder, in the order in which it was. A rule that cannot be read allows nothing. */
  readPermissions(workspaceKey: string): Promise<readonly StoredPermission[]> {
    return this.#read((statements) => readPermissions(statements, workspaceKey));
  }

  /** What calls in the messages `fromSeq` to `toSeq` made of files, or would have, in order of `seq` and `idx`. */
  readFileVersions(id: ConversationId, fromSeq: number, toSeq: number): Promise<readonly StoredVersion[]> {
    return this.#read(async (statements) => {
      const row = await statements.get(`SELECT id FROM conversation WHERE ulid = ?`, [id]);
      return row === undefined ? [] : readVersions(statements, Number(row['id']), fromSeq, toSeq);
    });
  }

  /** What a file held; undefined when the history file does not hold it exactly as it was written. */
  readVersionBytes(hash: string): Promise<Uint8Array | undefined> {
    return this.#read((statements) => readBlob(statements, hash));
  }

  /** The suspended run of a conversation, by its fence; undefined when no calls of it wait while nobody runs it. */
  suspendedFence(id: ConversationId): Promise<number | undefined> {
    return this.#read(async (statements) => {
      const row = await statements.get(
        `SELECT r.fence FROM run r JOIN conversation c ON c.id = r.conversation
          WHERE c.ulid = ? AND r.state <> 'ended' AND r.state = 'suspended'`,
        [id],
      );
      return row === undefined ? undefined : Number(row['fence']);
    });
  }

  /** Highest fence that any run of the conversation had; 0 when there was none. */
  lastFence(id: ConversationId): Promise<number> {
    return this.#read(async (statements) => {
      const row = await statements.get(
        `SELECT coalesce(max(r.fence), 0) AS fence FROM run r JOIN conversation c ON c.id = r.conversation WHERE c.ulid = ?`,
        [id],
      );
      return Number(row?.['fence']);
    });
  }

  /** The sub-agents of one conversation, or of all, in the order in which they were made. They are kept for ever. */
  listSubAgents(parent?: ConversationId): Promise<readonly SubAgent[]> {
    return this.#read(async (statements) => {
      const rows = await statements.all(
        `${SUB_AGENTS} ${parent === undefined ? '' : 'WHERE p.ulid = ?'} ORDER BY s.conversation`,
        parent === undefined ? [] : [parent],
      );
      return rows.flatMap(subAgentFrom);
    });
  }

  /** One short transaction. A lock is waited for; after other failures of the file the next read opens it anew. */
  async #read<T>(task: (statements: Statements) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await (await this.#source.connect()).transaction('read', task);
      } catch (thrown) {
        const error = StorageError.from(thrown);
        if (!PASSING.has(error.code)) {
          if (error.code.startsWith('SQLITE_')) await this.#source.discard();
          throw error;
        }
        if (tries >= READ_TRIES) throw error;
        await pause(this.#clock, WRITE_RETRY_FIRST_MS);
      }
    }
  }
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
