import type { Rule } from '../../../src/protocol/approval';
import type { Action, CommandAction, ShellKind } from '../../../src/extension/tools/action';
import type { FilePlace } from '../../../src/extension/tools/filePlace';
import { AnswerGrants } from '../../../src/extension/tools/permissions/answerGrants';
import { decide } from '../../../src/extension/tools/permissions/decide';

export const BASH: ShellKind = { program: '/bin/bash', name: 'bash', family: 'posix' };

/** A command that would run in the workspace folder, and names nothing that is asked about. */
export function commandAction(command: string, special: Partial<CommandAction> = {}): CommandAction {
  return {
    kind: 'command',
    command,
    cwd: '/ws',
    folder: '.',
    outside: false,
    shell: BASH,
    timeoutMs: 60_000,
    namesIgnored: false,
    guarded: [],
    ...special,
  };
}

/** An edit of one line of a file in the workspace folder. */
export function editAction(shown: string, special: Partial<FilePlace> = {}): Extract<Action, { kind: 'edit' }> {
  return {
    kind: 'edit',
    place: { real: `/ws/${shown}`, root: '/ws', shown, outside: false, exists: true, ...special },
    change: { path: shown, kind: 'changed', added: 1, removed: 1, hunks: [], hunksLeftOut: 0 },
  };
}

/** Whether a command is done unasked, because of these rules and nothing else. */
export function isAllowed(command: string, rules: readonly Rule[]): boolean {
  const facts = { mode: 'ask', answerGrants: new AnswerGrants(), unsaved: false, trusted: true } as const;
  return decide(commandAction(command), { ...facts, rules }).kind === 'allow';
}
