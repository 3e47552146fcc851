import type { ConversationId } from '../../../protocol/ids';
import { pause, type Clock } from '../../base/clock';
import { TAKEOVER_MS, TAKEOVER_PROBE_MS } from '../../base/limits';
import { closeRun, type OpenRun } from './closeRun';
import type { Connection, Statements } from '../connection';
import { FeedLog } from '../rows/feedRow';
import { writeTransaction } from '../writing/writeTransaction';

/** How a conversation came to be free: nobody ran it, its window let it go, or its run was ended in its place. */
export type Takeover = 'was_free' | 'yielded' | 'ended';

/**
 * Takes a conversation over from the window that runs it, because the person said so there is no need to prove that
 * that one is dead. It is asked first, and given {@link TAKEOVER_MS} to end at a border of its own; then its run is
 * ended, and whatever it still writes under that fence is refused; calls that wait for leave go on waiting for whoever
 * answers. Afterwards nobody runs the conversation.
 * Throws StorageError.
 */
export async function takeOver(
  connection: Connection,
  id: ConversationId,
  by: string,
  clock: Clock,
): Promise<Takeover> {
  const run = await writeTransaction(connection, async (statements) => {
    const live = await liveRun(statements, id);
    if (live === undefined) return undefined;
    await statements.run(`UPDATE run SET takeover_by = ? WHERE conversation = ? AND fence = ?`, [
      by,
      live.conversation,
      live.fence,
    ]);
    await new FeedLog().append(statements, [{ conversation: live.conversation, kind: 'run' }]);
    return live;
  });
  if (run === undefined) return 'was_free';
  for (let waited = 0; waited < TAKEOVER_MS; waited += TAKEOVER_PROBE_MS) {
    await pause(clock, TAKEOVER_PROBE_MS);
    const still = await connection.exclusive((statements) => liveRun(statements, id));
    if (still?.fence !== run.fence) return 'yielded';
  }
  return writeTransaction(connection, async (statements) => {
    const still = await liveRun(statements, id);
    if (still?.fence !== run.fence) return 'yielded';
    await closeRun(statements, run, 'takeover');
    return 'ended';
  });
}

/** Whether another window asked for the run that this window owns under `fence`. Throws StorageError. */
export async function takeoverAsked(connection: Connection, id: ConversationId, fence: number): Promise<boolean> {
  const row = await connection.exclusive((statements) =>
    statements.get(
      `SELECT r.takeover_by FROM run r JOIN conversation c ON c.id = r.conversation WHERE c.ulid = ? AND r.fence = ?`,
      [id, fence],
    ),
  );
  return typeof row?.['takeover_by'] === 'string';
}

async function liveRun(statements: Statements, id: ConversationId): Promise<OpenRun | undefined> {
  const row = await statements.get(
    `SELECT r.conversation, r.fence FROM run r JOIN conversation c ON c.id = r.conversation
      WHERE c.ulid = ? AND r.state <> 'ended' AND r.state = 'live'`,
    [id],
  );
  return row === undefined ? undefined : { conversation: Number(row['conversation']), fence: Number(row['fence']) };
}
