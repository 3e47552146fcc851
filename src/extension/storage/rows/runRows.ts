import type { Change, WriterIdentity } from '../change';
import type { Statements } from '../connection';

/** Whether the run under this fence is this window's and goes on. */
export async function holdsFence(
  statements: Statements,
  conversation: number,
  owner: string,
  fence: number,
): Promise<boolean> {
  const run = await statements.get(
    `SELECT 1 FROM run WHERE conversation = ? AND owner = ? AND fence = ? AND state = 'live'`,
    [conversation, owner, fence],
  );
  return run !== undefined;
}

/** Begins a run, if nobody was quicker: whether it has begun is seen by its fence. */
export async function startRun(
  statements: Statements,
  conversation: number,
  { owner, host }: WriterIdentity,
  { fence, seen = fence - 1, resumes }: Extract<Change, { type: 'run_started' }>,
): Promise<void> {
  if (resumes !== undefined) {
    const ended = await statements.all(
      `UPDATE run SET state = 'ended' WHERE conversation = ? AND fence = ? AND state = 'suspended' RETURNING fence`,
      [conversation, resumes],
    );
    // Another window has answered its calls, or let them expire.
    if (ended.length === 0) return;
  }
  await statements.run(
    // Another window may have been quicker: then its run stays, and this one is fenced. So is one that was asked for
    // before others ran, and is written only now: what it would write does not follow from what they wrote.
    `INSERT INTO run (conversation, owner, host, fence, state)
     SELECT ?1, ?2, ?3, ?4, 'live'
      WHERE NOT EXISTS (SELECT 1 FROM run WHERE conversation = ?1 AND fence > ?5 AND owner <> ?2)
     ON CONFLICT DO NOTHING`,
    [conversation, owner, host, fence, seen],
  );
}

/**
 * Ends this run, or lets its calls wait for an answer while nobody runs it. One whose calls still wait is suspended
 * whatever is said: nobody looks for the open message of a run that has ended.
 */
export async function leaveRun(
  statements: Statements,
  conversation: number,
  fence: number,
  state: 'ended' | 'suspended',
): Promise<void> {
  await statements.run(
    `UPDATE run SET state = iif(EXISTS (
        SELECT 1 FROM message m JOIN part p ON p.id BETWEEN m.id AND m.id + 255
         WHERE m.conversation = ?1 AND m.status = 'streaming' AND p.state = 'awaiting_approval'), 'suspended', ?3)
      WHERE conversation = ?1 AND fence = ?2`,
    [conversation, fence, state],
  );
}
