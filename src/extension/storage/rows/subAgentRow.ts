import { isConversationId } from '../../../protocol/ids';
import type { SubAgent, SubAgentState } from '../../../protocol/subAgent';
import type { SqlRow } from '../connection';

/** Selects sub-agents, with the ULIDs of their conversation and of their parent (`p`). */
export const SUB_AGENTS = `
  SELECT s.*, c.ulid AS ulid, p.ulid AS parent_ulid FROM sub_agent s
    JOIN conversation c ON c.id = s.conversation JOIN conversation p ON p.id = s.parent`;

/** A sub-agent of its row; nothing when its ids are damaged. */
export function subAgentFrom(row: SqlRow): readonly SubAgent[] {
  const { ulid: id, parent_ulid: parent } = row;
  if (typeof id !== 'string' || !isConversationId(id)) return [];
  if (typeof parent !== 'string' || !isConversationId(parent)) return [];
  const numbers = { startedAt: row['started_at'], finishedAt: row['finished_at'], deliveredSeq: row['delivered_seq'] };
  return [
    {
      id,
      parent: { conversationId: parent, seq: Number(row['parent_seq']), idx: Number(row['parent_idx']) },
      state: String(row['state']) as SubAgentState,
      description: String(row['description']),
      prompt: String(row['prompt']),
      ...(typeof row['result'] === 'string' ? { result: row['result'] } : {}),
      ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => typeof value === 'number')),
    },
  ];
}
