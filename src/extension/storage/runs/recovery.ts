import type { ConversationId } from '../../../protocol/ids';
import { closeRun } from './closeRun';
import type { Connection, SqlRow } from '../connection';
import type { StorageFiles } from '../files';
import { isAlive } from './ownership';
import { StorageError } from '../storageError';
import { writeTransaction } from '../writing/writeTransaction';

/** Who asks: a run of this window is never recovered, and a lock proves nothing about a run of another machine. */
export interface Recoverer {
  readonly files: StorageFiles;
  readonly owner: string;
  readonly host: string;
  /** Whether locks of other processes can be believed where the file is. */
  readonly locksHold: boolean;
}

/** What stands in a conversation's way after recovery: nothing, or a run that lives elsewhere. */
export type RunHolder = 'nobody' | 'self' | 'elsewhere';

/** Closes every run whose window is gone. Answers how many. One that cannot be closed keeps no other from it. */
export async function recoverAll(connection: Connection, recoverer: Recoverer): Promise<number> {
  const runs = await connection.exclusive((statements) =>
    statements.all(`SELECT conversation, owner, host, fence FROM run WHERE state <> 'ended' AND state = 'live'`),
  );
  let closed = 0;
  let failure: StorageError | undefined;
  for (const run of runs) {
    try {
      if ((await recoverRun(connection, recoverer, run)) === 'nobody') closed += 1;
    } catch (error) {
      failure = StorageError.from(error);
    }
  }
  if (failure !== undefined && failure.kind !== 'permanent') throw failure;
  return closed;
}

/** Closes the run of one conversation if its window is gone, and says who holds the conversation then. */
export async function recoverConversation(
  connection: Connection,
  recoverer: Recoverer,
  id: ConversationId,
): Promise<RunHolder> {
  const run = await connection.exclusive((statements) =>
    statements.get(
      `SELECT r.conversation, r.owner, r.host, r.fence FROM run r JOIN conversation c ON c.id = r.conversation
        WHERE c.ulid = ? AND r.state <> 'ended' AND r.state = 'live'`,
      [id],
    ),
  );
  return run === undefined ? 'nobody' : recoverRun(connection, recoverer, run);
}

async function recoverRun(connection: Connection, recoverer: Recoverer, run: SqlRow): Promise<RunHolder> {
  const owner = String(run['owner']);
  if (owner === recoverer.owner) return 'self';
  if (!recoverer.locksHold || run['host'] !== recoverer.host) return 'elsewhere';
  if (await isAlive(recoverer.files, owner)) return 'elsewhere';
  await writeTransaction(connection, async (statements) => {
    const [conversation, fence] = [Number(run['conversation']), Number(run['fence'])];
    // Its fence names it. The owner does not always: a damaged one is not read as it stands.
    const still = await statements.get(`SELECT 1 FROM run WHERE conversation = ? AND fence = ? AND state = 'live'`, [
      conversation,
      fence,
    ]);
    // Otherwise another window was quicker.
    if (still !== undefined) await closeRun(statements, { conversation, fence }, 'crash');
  });
  return 'nobody';
}
