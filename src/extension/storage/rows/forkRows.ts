import type { Statements } from '../connection';
import { rowId, rowRange } from './rowId';

/**
 * Copies the ended messages of a conversation up to and with `throughSeq` into a new one, parts and all, and its mode.
 * A call that has no end there never gets one: nobody is asked twice for the same. Versions of files stay with the
 * conversation that made them.
 */
export async function forkRows(statements: Statements, from: number, to: number, throughSeq: number): Promise<void> {
  await statements.run(
    `UPDATE conversation SET forked_from = ?1, forked_at_seq = ?2,
            mode = coalesce((SELECT mode FROM conversation WHERE id = ?1), mode) WHERE id = ?3`,
    [from, throughSeq, to],
  );
  // Keys of one conversation differ from those of another by a constant.
  const shift = rowId(to, 1) - rowId(from, 1);
  const range = rowRange(from, 1, throughSeq);
  await statements.run(
    `INSERT INTO message (id, conversation, seq, role, status, client_id, created_at, data)
     SELECT id + ?, ?, seq, role, status, client_id, created_at, data FROM message
      WHERE id BETWEEN ? AND ? AND status <> 'streaming' ORDER BY id`,
    [shift, to, ...range],
  );
  await statements.run(
    `INSERT INTO part (id, type, state, data, blob, image)
     SELECT p.id + ?, p.type, CASE WHEN p.type <> 'tool' THEN p.state WHEN p.state = 'running' THEN 'interrupted'
              WHEN p.state IN ('pending', 'awaiting_approval') THEN 'expired' ELSE p.state END, p.data, p.blob, p.image
       FROM part p JOIN message m ON m.id = p.id - p.id % 256
      WHERE p.id BETWEEN ? AND ? AND m.status <> 'streaming' ORDER BY p.id`,
    [shift, ...range],
  );
}
