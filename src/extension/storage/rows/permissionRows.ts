import type { Rule } from '../../../protocol/approval';
import type { SqlRow, Statements } from '../connection';
import { ruleFrom } from './decodeApproval';

/** Something that a person allowed from now on in a workspace. `id` is good for revoking it and says nothing else. */
export interface StoredPermission {
  readonly id: number;
  readonly rule: Rule;
  /** Epoch milliseconds, for display only. */
  readonly createdAt: number;
}

/** Allows it in the conversation's workspace, once. `at`: epoch milliseconds. */
export async function grantPermission(
  statements: Statements,
  conversation: number,
  rule: Rule,
  at: number,
): Promise<void> {
  await statements.run(
    `INSERT INTO permission (workspace, kind, rule, created_at) SELECT workspace, ?, ?, ? FROM conversation WHERE id = ?
     ON CONFLICT (workspace, rule) DO NOTHING`,
    [rule.kind, ruleJson(rule), at, conversation],
  );
}

/** What is allowed in a workspace, in the order in which it was. What cannot be read allows nothing. */
export async function readPermissions(
  statements: Statements,
  workspaceKey: string,
): Promise<readonly StoredPermission[]> {
  const rows = await statements.all(
    `SELECT p.id, p.rule, p.created_at FROM permission p JOIN workspace w ON w.id = p.workspace WHERE w.key = ? ORDER BY p.id`,
    [workspaceKey],
  );
  return rows.flatMap(permissionFrom);
}

function permissionFrom(row: SqlRow): readonly StoredPermission[] {
  const rule = ruleFrom(parsed(row['rule']));
  return rule === undefined ? [] : [{ id: Number(row['id']), rule, createdAt: Number(row['created_at']) }];
}

/** The same rule is the same text: that is how the file knows it again. */
function ruleJson(rule: Rule): string {
  switch (rule.kind) {
    case 'files':
      return JSON.stringify({ kind: rule.kind, pattern: rule.pattern });
    case 'program':
      return JSON.stringify({ kind: rule.kind, words: rule.words, exact: rule.exact });
    case 'tool':
      return JSON.stringify({ kind: rule.kind, tool: rule.tool });
  }
}

function parsed(json: unknown): unknown {
  try {
    return typeof json === 'string' ? JSON.parse(json) : undefined;
  } catch {
    return undefined;
  }
}
