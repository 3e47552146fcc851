import type { ApprovalRequest, ApprovalSubject, Grant } from '../../protocol/approval';
import type { FileChange } from '../../protocol/fileChange';
import type { ToolPart } from '../../protocol/part';
import { AT_14_02, toolPart } from './build';

/** Builders of calls that wait for leave. */

const NPM_TEST: ApprovalSubject = {
  kind: 'command',
  command: 'npm test',
  folder: '.',
  shell: 'bash',
  timeoutMs: 600_000,
};

export const EXACT: Grant = { kind: 'rule', rule: { kind: 'program', words: ['npm', 'test'], exact: true } };
export const ANY_ARGUMENTS: Grant = { kind: 'rule', rule: { kind: 'program', words: ['npm', 'test'], exact: false } };
export const ANSWER: Grant = { kind: 'answer' };

/** An edit of `src/queue/scheduler.ts` in two places. */
export function change(more: Partial<FileChange> = {}): FileChange {
  return {
    path: 'src/queue/scheduler.ts',
    kind: 'changed',
    added: 4,
    removed: 1,
    hunks: [
      { oldStart: 99, newStart: 99, lines: [' a', ' b', '-old', '+new', '+more', ' c', ' d'] },
      { oldStart: 140, newStart: 141, lines: [' e', '+one', '+two', ' f'] },
    ],
    hunksLeftOut: 0,
    ...more,
  };
}

/** A call that waits for leave; a command that the mode asks about unless `more` says otherwise. */
export function waitingCall(id: string, more: Partial<ApprovalRequest> = {}, part: Partial<ToolPart> = {}): ToolPart {
  const request = { id, askedAt: AT_14_02, subject: NPM_TEST, reasons: ['mode'], grants: [EXACT, ANSWER] } as const;
  const approval: ApprovalRequest = { ...request, digest: 'digest', ...more };
  return toolPart('run_command', {}, { state: 'awaiting_approval', approval, ...part });
}
