import type { ConversationId } from '../../protocol/ids';
import { closedCall, type Part } from '../../protocol/part';
import type { Connection, SqlRow, Statements } from './connection';
import { partFrom } from './decode';
import { messageData, partColumns } from './encode';
import { isAlive } from './ownership';
import type { StorageFiles } from './files';
import { rowRange } from './rowId';

/** Who asks: a run of this window is never recovered, and a lock proves nothing about a run of another machine. */
export interface Recoverer {
  readonly files: StorageFiles;
  readonly owner: string;
  readonly host: string;
}

/** What stands in a conversation's way after recovery: nothing, or a run that lives elsewhere. */
export type RunHolder = 'nobody' | 'self' | 'elsewhere';

/** Ends every run whose window is gone. Answers how many it ended. */
export async function recoverAll(connection: Connection, recoverer: Recoverer): Promise<number> {
  const rows = await connection.exclusive((statements) =>
    statements.all(`SELECT conversation, owner, host, fence FROM run WHERE state <> 'ended'`),
  );
  let ended = 0;
  for (const row of rows) if ((await recoverRun(connection, recoverer, row)) === 'nobody') ended += 1;
  return ended;
}

/** Ends the run of one conversation if its window is gone, and says who holds the conversation then. */
export async function recoverConversation(
  connection: Connection,
  recoverer: Recoverer,
  id: ConversationId,
): Promise<RunHolder> {
  const row = await connection.exclusive((statements) =>
    statements.get(
      `SELECT r.conversation, r.owner, r.host, r.fence FROM run r JOIN conversation c ON c.id = r.conversation
        WHERE c.ulid = ? AND r.state <> 'ended'`,
      [id],
    ),
  );
  return row === undefined ? 'nobody' : recoverRun(connection, recoverer, row);
}

async function recoverRun(connection: Connection, recoverer: Recoverer, run: SqlRow): Promise<RunHolder> {
  const owner = String(run['owner']);
  if (owner === recoverer.owner) return 'self';
  if (run['host'] !== recoverer.host || (await isAlive(recoverer.files, owner))) return 'elsewhere';
  await connection.transaction('write', async (statements) => {
    const conversation = Number(run['conversation']);
    const still = await statements.get(
      `SELECT 1 FROM run WHERE conversation = ? AND owner = ? AND fence = ? AND state <> 'ended'`,
      [conversation, owner, Number(run['fence'])],
    );
    if (still === undefined) return; // Another window was quicker.
    await closeMessages(statements, conversation);
    await statements.run(`UPDATE run SET state = 'ended' WHERE conversation = ? AND fence = ?`, [
      conversation,
      Number(run['fence']),
    ]);
  });
  return 'nobody';
}

/** Messages that were being written are marked as interrupted, their chunks merged and their calls closed. */
async function closeMessages(statements: Statements, conversation: number): Promise<void> {
  const messages = await statements.all(
    `SELECT m.id, m.seq, c.updated_at FROM message m JOIN conversation c ON c.id = m.conversation
      WHERE m.conversation = ? AND m.status = 'streaming'`,
    [conversation],
  );
  for (const message of messages) {
    const range = rowRange(conversation, Number(message['seq']), Number(message['seq']));
    const parts = await statements.all(`SELECT * FROM part WHERE id BETWEEN ? AND ?`, range);
    // The last time that is known from the run itself: the clock of now says nothing about when it died.
    const endedAt = Number(message['updated_at']);
    for (const row of parts) {
      const id = Number(row['id']);
      const deltas = await statements.all(`SELECT * FROM part_delta WHERE part_id = ? ORDER BY chunk`, [id]);
      const columns = partColumns(closed(partFrom(row, deltas), endedAt));
      await statements.run(`UPDATE part SET state = ?, data = ? WHERE id = ?`, [columns.state, columns.data, id]);
    }
    await statements.run(`DELETE FROM part_delta WHERE part_id BETWEEN ? AND ?`, range);
    await statements.run(`UPDATE message SET status = 'aborted', data = json_patch(data, ?) WHERE id = ?`, [
      messageData({ reason: 'crash', endedAt }),
      Number(message['id']),
    ]);
  }
}

function closed(part: Part, endedAt: number): Part {
  if (part.type === 'tool') return closedCall(part, endedAt);
  if (part.type === 'thinking' && part.endedAt === undefined)
    return { ...part, endedAt: Math.max(endedAt, part.startedAt) };
  return part;
}
