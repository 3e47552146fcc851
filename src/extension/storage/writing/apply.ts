import type { ConversationId } from '../../../protocol/ids';
import type { SubAgentChange } from '../../../protocol/subAgent';
import { assertNever } from '../../base/assertNever';
import type { Change, Command, ConversationCreated, ConversationForked, WriteOutcome, WriterIdentity } from '../change';
import type { Connection, Statements } from '../connection';
import { ConversationRows } from '../rows/conversationRows';
import { messageData, PATCHED_DATA } from '../rows/encode';
import { FeedLog, type FeedKind, type FeedRow } from '../rows/feedRow';
import { forkRows } from '../rows/forkRows';
import { LoneCommands } from './loneCommand';
import { putParts } from '../rows/partRows';
import { grantPermission } from '../rows/permissionRows';
import { moveQueued, unqueue } from '../rows/queueRows';
import { rowId } from '../rows/rowId';
import { holdsFence, leaveRun, startRun } from '../rows/runRows';
import { changeVersion, putVersion } from '../rows/versionRows';

/**
 * Turns commands into statements, and tells other windows of them. What it learnt in a transaction that is undone must
 * be forgotten with {@link forget}.
 */
export class CommandApplier {
  readonly #identity: () => WriterIdentity;
  readonly #rows = new ConversationRows();
  readonly #log = new FeedLog();
  readonly #lone: LoneCommands;
  #feed: FeedRow[] = [];

  constructor(identity: () => WriterIdentity) {
    this.#identity = identity;
    this.#lone = new LoneCommands(identity);
  }

  /** Commits one command that comes alone; `undefined`: it takes a transaction. Throws as {@link apply} does. */
  applyAlone(connection: Connection, command: Command): Promise<WriteOutcome | undefined> {
    return this.#lone.write(connection, command, (statements) => this.#rows.get(statements, command.conversationId));
  }

  forget(): void {
    this.#rows.forget();
    this.#feed = [];
  }

  /** The command that was applied last, or failed, was undone; those before it stand. */
  undone(): void {
    this.#rows.forget();
  }

  /**
   * Runs the statements of one command; `fenced` when the run it belongs to is not this window's: then nothing is
   * written. Throws {@link StorageError}; the caller undoes what was done so far.
   */
  async apply(statements: Statements, command: Command): Promise<'written' | 'fenced'> {
    const { conversationId, change, fence, at } = command;
    if (change.type === 'conversation_created' || change.type === 'conversation_forked') {
      await this.#create(statements, conversationId, change, at);
      this.#feed.push({ conversation: await this.#rows.get(statements, conversationId), kind: 'conversation' });
      return 'written';
    }
    const conversation = await this.#rows.get(statements, conversationId);
    if (fence !== undefined && !(await this.#holdsFence(statements, conversation, fence))) return 'fenced';
    await this.#write(statements, conversation, command);
    const kind = feedKind(change);
    if (kind !== undefined) this.#feed.push({ conversation, kind, ...placeOfChange(change) });
    if (change.type !== 'run_started') return 'written';
    return (await this.#holdsFence(statements, conversation, change.fence)) ? 'written' : 'fenced';
  }

  /** Tells other windows of what was applied since. Within the same transaction, at its end. */
  async finish(statements: Statements): Promise<void> {
    await this.#log.append(statements, this.#feed);
    this.#feed = [];
  }

  #holdsFence(statements: Statements, conversation: number, fence: number): Promise<boolean> {
    return holdsFence(statements, conversation, this.#identity().owner, fence);
  }

  async #write(statements: Statements, conversation: number, { change, fence, at }: Command): Promise<void> {
    switch (change.type) {
      case 'conversation_created':
      case 'conversation_forked':
        return; // These have no row to write to yet.
      case 'run_started':
        await startRun(statements, conversation, this.#identity(), change);
        return;
      case 'run_ended':
        await leaveRun(statements, conversation, fence ?? 0, 'ended');
        return;
      case 'run_suspended':
        await leaveRun(statements, conversation, fence ?? 0, 'suspended');
        return;
      case 'file_version_set':
        await putVersion(statements, conversation, change, change.version, change.state);
        return;
      case 'file_version_changed':
        await changeVersion(statements, conversation, change);
        return;
      case 'mode_set':
        await statements.run(`UPDATE conversation SET mode = ? WHERE id = ?`, [change.mode, conversation]);
        return;
      case 'permission_granted':
        await grantPermission(statements, conversation, change.rule, at);
        return;
      case 'message_added': {
        const { message } = change;
        const key = rowId(conversation, message.seq);
        await statements.run(
          `INSERT INTO message (id, conversation, seq, role, status, client_id, created_at, data)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            key,
            conversation,
            message.seq,
            message.role,
            message.status,
            message.clientId ?? null,
            message.createdAt,
            messageData(message),
          ],
        );
        await putParts(
          statements,
          message.parts.map((part, idx) => [rowId(conversation, message.seq, idx), part] as const),
        );
        if (message.clientId !== undefined) await unqueue(statements, conversation, message.clientId);
        await touch(statements, conversation, at);
        return;
      }
      case 'message_ended': {
        const { status, ...rest } = change.end;
        await statements.run(`UPDATE message SET status = ?, data = ${PATCHED_DATA} WHERE id = ?`, [
          status,
          messageData(rest),
          rowId(conversation, change.seq),
        ]);
        await touch(statements, conversation, at);
        return;
      }
      case 'part_set': {
        const key = rowId(conversation, change.seq, change.idx);
        await putParts(statements, [[key, change.part]]);
        await statements.run(`DELETE FROM part_delta WHERE part_id = ?`, [key]);
        return;
      }
      case 'delta':
        await statements.run(`INSERT INTO part_delta (part_id, chunk, at, data) VALUES (?, ?, ?, ?)`, [
          rowId(conversation, change.seq, change.idx),
          change.chunk,
          change.at,
          change.text,
        ]);
        return;
      case 'conversation_changed':
        await statements.run(
          `UPDATE conversation SET title = coalesce(?, title), model = coalesce(?, model) WHERE id = ?`,
          [change.title ?? null, change.model ?? null, conversation],
        );
        return;
      case 'message_queued':
        await statements.run(
          `INSERT INTO queued (conversation, client_id, text, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          [conversation, change.clientId, change.text, change.createdAt],
        );
        return;
      case 'message_unqueued':
        await unqueue(statements, conversation, change.clientId);
        return;
      case 'message_moved':
        await moveQueued(statements, conversation, change.clientId, change.before);
        return;
      case 'draft_set':
        await setDraft(statements, conversation, change.text, change.at);
        return;
      case 'sub_agent_created': {
        const { parent, ...life } = change.subAgent;
        const parentKey = await this.#rows.get(statements, parent.conversationId);
        await statements.run(`UPDATE conversation SET parent = ?, parent_seq = ?, parent_idx = ? WHERE id = ?`, [
          parentKey,
          parent.seq,
          parent.idx,
          conversation,
        ]);
        await statements.run(
          `INSERT INTO sub_agent (conversation, parent, parent_seq, parent_idx, state, description, prompt)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
          [conversation, parentKey, parent.seq, parent.idx, life.state, life.description, life.prompt],
        );
        await changeSubAgent(statements, conversation, life);
        return;
      }
      case 'sub_agent_changed':
        await changeSubAgent(statements, conversation, change.change);
        return;
      default:
        assertNever(change);
    }
  }

  async #create(
    statements: Statements,
    id: ConversationId,
    change: ConversationCreated | ConversationForked,
    at: number,
  ): Promise<void> {
    const { workspace, conversation } = change;
    await statements.run(
      `INSERT INTO workspace (key, name, created_at) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE name <> excluded.name`,
      [workspace.key, workspace.name, at],
    );
    await statements.run(
      `INSERT INTO conversation (ulid, workspace, kind, title, model, created_at, updated_at)
       VALUES (?, (SELECT id FROM workspace WHERE key = ?), ?, ?, ?, ?, ?)`,
      [
        id,
        workspace.key,
        conversation.kind,
        conversation.title,
        conversation.model ?? null,
        conversation.createdAt,
        at,
      ],
    );
    if (change.type === 'conversation_forked') {
      const from = await this.#rows.get(statements, change.from);
      await forkRows(statements, from, await this.#rows.get(statements, id), change.throughSeq);
    }
  }
}

/** The kind of row that tells of a change; undefined for what other windows need not know or find without one. */
function feedKind(change: Change): FeedKind | undefined {
  switch (change.type) {
    case 'conversation_created':
    case 'conversation_forked':
    case 'conversation_changed':
    case 'mode_set':
      return 'conversation';
    case 'run_started':
    case 'run_ended':
    case 'run_suspended':
      return 'run';
    case 'message_added':
    case 'message_ended':
      return 'message';
    case 'part_set':
      return 'part';
    case 'message_queued':
    case 'message_unqueued':
    case 'message_moved':
      return 'queue';
    case 'sub_agent_created':
    case 'sub_agent_changed':
      return 'sub_agent';
    case 'delta':
    case 'draft_set':
    case 'file_version_set':
    case 'file_version_changed':
    case 'permission_granted':
      return undefined;
  }
}

function placeOfChange(change: Change): Pick<FeedRow, 'seq' | 'idx'> {
  if (change.type === 'message_added') return { seq: change.message.seq };
  if (change.type === 'message_ended') return { seq: change.seq };
  return change.type === 'part_set' ? { seq: change.seq, idx: change.idx } : {};
}

/** The time a list sorts by is written at most once a second: it is not worth a page of the file per chunk. */
async function touch(statements: Statements, conversation: number, at: number): Promise<void> {
  // Also when it lies ahead: the clock was wrong then, and the conversation would stand at the top until it is right.
  await statements.run(
    `UPDATE conversation SET updated_at = ?1 WHERE id = ?2 AND updated_at NOT BETWEEN ?1 - 999 AND ?1`,
    [at, conversation],
  );
}

/** The draft that comes last wins, in whichever window it was written. An empty one stays: it is newer than others, too. */
async function setDraft(statements: Statements, conversation: number, text: string, at: number): Promise<void> {
  await statements.run(
    `INSERT INTO draft (conversation, text, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (conversation) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at`,
    [conversation, text, at],
  );
}

/** Column by column: what is left out stays. One that has ended stays as it ended; only its delivery is added. */
async function changeSubAgent(statements: Statements, conversation: number, change: SubAgentChange): Promise<void> {
  await statements.run(
    `UPDATE sub_agent SET state = CASE WHEN state IN ('queued', 'running') THEN ? ELSE state END, result = coalesce(?, result),
            started_at = coalesce(?, started_at), finished_at = coalesce(?, finished_at), delivered_seq = coalesce(?, delivered_seq)
      WHERE conversation = ?`,
    [
      change.state,
      change.result ?? null,
      change.startedAt ?? null,
      change.finishedAt ?? null,
      change.deliveredSeq ?? null,
      conversation,
    ],
  );
}
