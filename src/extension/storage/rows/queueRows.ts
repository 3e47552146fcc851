import type { ClientId } from '../../../protocol/ids';
import { movedBefore } from '../../../protocol/queueOrder';
import type { QueuedMessage } from '../../../protocol/status';
import type { Statements } from '../connection';

/** The messages that wait in a conversation, in the order in which they will be sent. */
export async function readQueue(statements: Statements, conversation: number): Promise<readonly QueuedMessage[]> {
  const rows = await statements.all(`SELECT * FROM queued WHERE conversation = ? ORDER BY id`, [conversation]);
  return rows.map((row) => ({
    clientId: String(row['client_id']) as ClientId,
    text: String(row['text']),
    createdAt: Number(row['created_at']),
  }));
}

export async function unqueue(statements: Statements, conversation: number, clientId: ClientId): Promise<void> {
  await statements.run(`DELETE FROM queued WHERE conversation = ? AND client_id = ?`, [conversation, clientId]);
}

/** Deals the keys of the conversation's rows out anew, in the new order: they say who is sent first, and nothing else. */
export async function moveQueued(
  statements: Statements,
  conversation: number,
  clientId: ClientId,
  before: ClientId | undefined,
): Promise<void> {
  const rows = await statements.all(`SELECT id, client_id FROM queued WHERE conversation = ? ORDER BY id`, [
    conversation,
  ]);
  const queue = rows.map((row) => ({ id: Number(row['id']), clientId: String(row['client_id']) as ClientId }));
  const moved = movedBefore(queue, clientId, before).map((message, place) => ({ ...message, newId: queue[place]?.id }));
  const changed = moved.filter(({ id, newId }) => id !== newId);
  // Out of each other's way first: two rows never share a key.
  for (const { id } of changed) await statements.run(`UPDATE queued SET id = -id WHERE id = ?`, [id]);
  for (const { id, newId } of changed)
    await statements.run(`UPDATE queued SET id = ? WHERE id = ?`, [newId ?? id, -id]);
}
