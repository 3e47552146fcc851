import type { EndReason } from '../../../protocol/message';
import { closedCall, type Part } from '../../../protocol/part';
import type { Statements } from '../connection';
import { messageData, PATCHED_DATA } from '../rows/encode';
import { FeedLog, type FeedRow } from '../rows/feedRow';
import { readParts } from '../reading/page';
import { endPart } from '../rows/partRows';
import { placeOf, rowId, rowRange } from '../rows/rowId';

/** A run that is not ended, by its integer keys. */
export interface OpenRun {
  readonly conversation: number;
  readonly fence: number;
}

/** Why a run is closed by somebody else than its owner. */
export type CloseReason = Extract<EndReason, 'crash' | 'takeover'>;

/**
 * Closes a run whose owner does not write any more: what was being written ends as aborted with its text kept, a call
 * that ran is interrupted, one that did not never will, and a sub-agent ends as interrupted. But calls that wait for leave
 * stay as they are, with the others of their message that have not begun, and the run is suspended instead of ended: an
 * answer can still come.
 */
export async function closeRun(statements: Statements, run: OpenRun, reason: CloseReason): Promise<void> {
  const feed: FeedRow[] = [{ conversation: run.conversation, kind: 'run' }];
  const messages = await statements.all(
    `SELECT m.id, c.updated_at FROM message m JOIN conversation c ON c.id = m.conversation
      WHERE m.conversation = ? AND m.status = 'streaming' ORDER BY m.id`,
    [run.conversation],
  );
  // The last time that is known from the run itself: the clock of now says nothing about when it died.
  const lastAt = messages[0]?.['updated_at'];
  const endedAt = Number.isSafeInteger(lastAt) ? Number(lastAt) : 0;
  let suspended = false;
  for (const message of messages) {
    const { seq } = placeOf(Number(message['id']));
    const range = rowRange(run.conversation, seq, seq);
    const parts = await readParts(statements, range);
    const waits = parts.some(({ part }) => isWaiting(part));
    suspended ||= waits;
    const changed: number[] = [];
    for (const { idx, part, nextChunk } of parts) {
      const end = waits && mayRun(part) ? part : closed(part, endedAt);
      // What is not understood stays as it is.
      if (part.type === 'unknown' || (end === part && nextChunk === 0)) continue;
      const id = rowId(run.conversation, seq, idx);
      await endPart(statements, id, end);
      changed.push(id);
    }
    if (!waits) {
      await statements.run(`UPDATE message SET status = 'aborted', data = ${PATCHED_DATA} WHERE id = ?`, [
        messageData({ reason, endedAt }),
        Number(message['id']),
      ]);
    }
    feed.push({ conversation: run.conversation, kind: 'message', seq });
    for (const id of changed) feed.push({ conversation: run.conversation, kind: 'part', ...placeOf(id) });
  }
  await statements.run(`UPDATE run SET state = ? WHERE conversation = ? AND fence = ?`, [
    suspended ? 'suspended' : 'ended',
    run.conversation,
    run.fence,
  ]);
  const ended = await statements.all(
    `UPDATE sub_agent SET state = 'interrupted', finished_at = coalesce(finished_at, ?)
      WHERE conversation = ? AND state IN ('queued', 'running') RETURNING conversation`,
    [endedAt === 0 ? null : endedAt, run.conversation],
  );
  if (ended.length > 0) feed.push({ conversation: run.conversation, kind: 'sub_agent' });
  await new FeedLog().append(statements, feed);
}

function isWaiting(part: Part): boolean {
  return part.type === 'tool' && part.state === 'awaiting_approval';
}

function mayRun(part: Part): boolean {
  return part.type === 'tool' && (part.state === 'awaiting_approval' || part.state === 'pending');
}

function closed(part: Part, endedAt: number): Part {
  if (part.type === 'tool') return closedCall(part, endedAt);
  if (part.type === 'thinking' && part.endedAt === undefined)
    return { ...part, endedAt: Math.max(endedAt, part.startedAt) };
  return part;
}
