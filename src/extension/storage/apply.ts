import type { ConversationId } from '../../protocol/ids';
import { assertNever } from '../base/assertNever';
import type { Command } from './change';
import type { Statements } from './connection';
import { messageData, partColumns } from './encode';
import { rowId } from './rowId';
import { StorageError } from './storageError';

/** Who writes: the owner file of this window and the machine it runs on. */
export interface WriterIdentity {
  readonly owner: string;
  readonly host: string;
}

/**
 * Turns commands into statements. Keeps the integer keys of the conversations it has met; keys learnt in a transaction
 * that is undone must be forgotten with {@link forget}.
 */
export class CommandApplier {
  readonly #identity: WriterIdentity;
  readonly #rows = new Map<ConversationId, number>();

  constructor(identity: WriterIdentity) {
    this.#identity = identity;
  }

  forget(): void {
    this.#rows.clear();
  }

  /**
   * Runs the statements of one command; `fenced` when the run it belongs to is not this window's: then nothing is
   * written. Throws {@link StorageError}; the caller undoes what was done so far.
   */
  async apply(statements: Statements, command: Command): Promise<'written' | 'fenced'> {
    if (command.fence !== undefined && !(await this.#holdsFence(statements, command.conversationId, command.fence))) {
      return 'fenced';
    }
    await this.#write(statements, command);
    if (command.change.type !== 'run_started') return 'written';
    return (await this.#holdsFence(statements, command.conversationId, command.change.fence)) ? 'written' : 'fenced';
  }

  async #holdsFence(statements: Statements, id: ConversationId, fence: number): Promise<boolean> {
    const run = await statements.get(
      `SELECT 1 FROM run WHERE conversation = ? AND owner = ? AND fence = ? AND state = 'live'`,
      [await this.#row(statements, id), this.#identity.owner, fence],
    );
    return run !== undefined;
  }

  async #write(statements: Statements, command: Command): Promise<void> {
    const { change, at } = command;
    if (change.type === 'conversation_created') {
      await this.#create(statements, command.conversationId, change, at);
      return;
    }
    const conversation = await this.#row(statements, command.conversationId);
    switch (change.type) {
      case 'run_started':
        await statements.run(
          // Another window may have been quicker: then its run stays, and this one is fenced.
          `INSERT INTO run (conversation, owner, host, fence, state) VALUES (?, ?, ?, ?, 'live') ON CONFLICT DO NOTHING`,
          [conversation, this.#identity.owner, this.#identity.host, change.fence],
        );
        return;
      case 'run_ended':
        await statements.run(`UPDATE run SET state = 'ended' WHERE conversation = ? AND fence = ?`, [
          conversation,
          command.fence ?? 0,
        ]);
        return;
      case 'message_added': {
        const { message } = change;
        await statements.run(
          `INSERT INTO message (id, conversation, seq, role, status, client_id, created_at, data)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          [
            rowId(conversation, message.seq),
            conversation,
            message.seq,
            message.role,
            message.status,
            message.clientId ?? null,
            message.createdAt,
            messageData(message),
          ],
        );
        for (const [idx, part] of message.parts.entries()) {
          const columns = partColumns(part);
          await statements.run(`INSERT INTO part (id, type, state, data) VALUES (?, ?, ?, ?)`, [
            rowId(conversation, message.seq, idx),
            columns.type,
            columns.state,
            columns.data,
          ]);
        }
        await touch(statements, conversation, at);
        return;
      }
      case 'message_ended': {
        const { status, ...rest } = change.end;
        await statements.run(`UPDATE message SET status = ?, data = json_patch(data, ?) WHERE id = ?`, [
          status,
          messageData(rest),
          rowId(conversation, change.seq),
        ]);
        await touch(statements, conversation, at);
        return;
      }
      case 'part_set': {
        const id = rowId(conversation, change.seq, change.idx);
        const columns = partColumns(change.part);
        await statements.run(
          `INSERT INTO part (id, type, state, data) VALUES (?, ?, ?, ?)
           ON CONFLICT (id) DO UPDATE SET type = excluded.type, state = excluded.state, data = excluded.data`,
          [id, columns.type, columns.state, columns.data],
        );
        await statements.run(`DELETE FROM part_delta WHERE part_id = ?`, [id]);
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
      default:
        assertNever(change);
    }
  }

  async #create(
    statements: Statements,
    id: ConversationId,
    change: Extract<Command['change'], { type: 'conversation_created' }>,
    at: number,
  ): Promise<void> {
    const { workspace, conversation } = change;
    await statements.run(
      `INSERT INTO workspace (key, name, created_at) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET name = excluded.name`,
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
  }

  async #row(statements: Statements, id: ConversationId): Promise<number> {
    const known = this.#rows.get(id);
    if (known !== undefined) return known;
    const row = await statements.get(`SELECT id FROM conversation WHERE ulid = ?`, [id]);
    const found = row?.['id'];
    if (typeof found !== 'number') {
      throw new StorageError(
        'permanent',
        'MISSING',
        `no conversation ${id}`,
        'The conversation is not in the history file.',
      );
    }
    this.#rows.set(id, found);
    return found;
  }
}

/** The time a list sorts by is written at most once a second: it is not worth a page of the file per chunk. */
async function touch(statements: Statements, conversation: number, at: number): Promise<void> {
  await statements.run(`UPDATE conversation SET updated_at = ?1 WHERE id = ?2 AND updated_at <= ?1 - 1000`, [
    at,
    conversation,
  ]);
}
