import { describe, expect, it } from 'vitest';
import type { Mode, Rule } from '../../../protocol/approval';
import type { Action } from '../action';
import { AnswerGrants } from './answerGrants';
import { decide, type LeaveFacts } from './decide';
import { commandAction, editAction } from '../../../../test/support/tools/actions';

const MODES: readonly Mode[] = ['ask', 'auto_edit', 'bypass'];
const ALL_RULES: readonly Rule[] = [
  { kind: 'files', pattern: '**' },
  { kind: 'program', words: ['ls'], exact: false },
  { kind: 'tool', tool: 'jira' },
];

function facts(special: Partial<LeaveFacts> = {}): LeaveFacts {
  return { mode: 'ask', rules: [], answerGrants: new AnswerGrants(), unsaved: false, trusted: true, ...special };
}

function granted(action: Action): AnswerGrants {
  const grants = new AnswerGrants();
  grants.add(action);
  return grants;
}

/** `allow`, `refuse`, or why it asks. */
function decided(action: Action, special: Partial<LeaveFacts> = {}): string {
  const decision = decide(action, facts(special));
  return decision.kind === 'ask' ? decision.reasons.join('+') : decision.kind;
}

const edit = editAction('src/a.ts');
const command = commandAction('ls');
const { timeoutMs: _, ...background } = command;
const input: Action = { kind: 'input', command: 'node', text: '1\n', namesIgnored: false, guarded: [] };
const memory: Action = { kind: 'memory', scope: 'folder', path: '/ws/.holdfast/memory.md', text: 'x' };
const foreign: Action = { kind: 'other', tool: 'jira', arguments: { id: 1 } };
const readOutside: Action = { kind: 'read', place: { ...edit.place, outside: true, shown: '/etc/hosts' } };

describe('leave', () => {
  it.each([
    ['an edit', edit, ['mode', 'allow', 'allow']],
    ['a command', command, ['mode', 'mode', 'allow']],
    ['a command in the background', background, ['mode', 'mode', 'allow']],
    ['text for a command', input, ['mode', 'mode', 'allow']],
    ['a memory', memory, ['memory', 'memory', 'memory']],
    ['a tool that is not ours', foreign, ['foreign', 'foreign', 'foreign']],
    ['reading outside', readOutside, ['outside', 'outside', 'outside']],
  ])('for %s depends on the mode', (_what, action, expected) => {
    expect(MODES.map((mode) => decided(action, { mode }))).toEqual(expected);
  });

  it.each([
    ['an edit outside', editAction('/etc/hosts', { outside: true }), 'outside'],
    ['an edit of settings', editAction('.vscode/tasks.json', { guard: 'settings' }), 'settings'],
    ['an edit of a hook', editAction('.git/hooks/pre-commit', { guard: 'hooks' }), 'hooks'],
    ['an edit of own data outside', editAction('/data/x', { outside: true, guard: 'own_data' }), 'outside+own_data'],
    ['a command outside', commandAction('ls', { outside: true, folder: '/etc', cwd: '/etc' }), 'outside'],
    ['a command that names a profile', commandAction('ls', { guarded: ['outside', 'profile'] }), 'outside+profile'],
    ['a command that names what is hidden', commandAction('ls', { namesIgnored: true }), 'ignored'],
    ['text that names a place outside', { ...input, guarded: ['outside'] } as const, 'outside'],
    ['a memory', memory, 'memory'],
    ['reading outside', readOutside, 'outside'],
  ])('guard: %s asks in every mode and whatever was allowed, this once only', (_what, action, reasons) => {
    for (const mode of MODES) {
      const decision = decide(action, facts({ mode, rules: ALL_RULES, answerGrants: granted(action) }));
      expect(decision).toEqual({ kind: 'ask', reasons: reasons.split('+'), grants: [] });
    }
  });

  it('guard: what cannot be written down is asked about, unless it only reads', () => {
    for (const action of [edit, command, background, input, foreign]) {
      for (const mode of MODES) {
        const decision = decide(
          action,
          facts({ mode, unsaved: true, rules: ALL_RULES, answerGrants: granted(action) }),
        );
        expect(decision).toEqual({ kind: 'ask', reasons: ['unsaved'], grants: [] });
      }
    }
    expect(decided(memory, { unsaved: true })).toBe('memory+unsaved');
    expect(decided(readOutside, { unsaved: true })).toBe('outside');
  });

  it('guard: nothing is changed or run where the folder is not trusted', () => {
    for (const mode of MODES) {
      const special = { mode, trusted: false, rules: ALL_RULES };
      for (const action of [edit, command, background, input, memory, foreign]) {
        expect(decided(action, { ...special, answerGrants: granted(action) })).toBe('refuse');
      }
      expect(decided(readOutside, special)).toBe('outside');
    }
  });

  it('is given by a rule', () => {
    for (const action of [edit, command, background, foreign])
      expect(decided(action, { rules: ALL_RULES })).toBe('allow');
    expect(decided(commandAction('ls; rm x'), { rules: ALL_RULES })).toBe('mode');
    expect(decided({ ...foreign, tool: 'jira_delete' }, { rules: ALL_RULES })).toBe('foreign');
    expect(decided(input, { rules: ALL_RULES })).toBe('mode');
  });

  it('until the answer is done is for the same again: line and folder, file, or call', () => {
    const line = commandAction('ls | wc');
    expect(decided(line, { answerGrants: granted(line) })).toBe('allow');
    expect(decided(commandAction('ls | wc -l'), { answerGrants: granted(line) })).toBe('mode');
    expect(decided({ ...line, cwd: '/ws/src', folder: 'src' }, { answerGrants: granted(line) })).toBe('mode');
    expect(decided({ ...edit, change: { ...edit.change, added: 9 } }, { answerGrants: granted(edit) })).toBe('allow');
    expect(decided(editAction('src/b.ts'), { answerGrants: granted(edit) })).toBe('mode');
    expect(decided(foreign, { answerGrants: granted(foreign) })).toBe('allow');
    expect(decided({ ...foreign, arguments: { id: 2 } }, { answerGrants: granted(foreign) })).toBe('foreign');
    expect(decided(input, { answerGrants: granted(input) })).toBe('mode');
  });

  it('that is asked for because of the mode offers what can be allowed from now on', () => {
    expect(decide(command, facts())).toMatchObject({
      grants: [{ kind: 'rule' }, { kind: 'rule' }, { kind: 'answer' }],
    });
    expect(decide(foreign, facts())).toMatchObject({ grants: [{ kind: 'rule' }, { kind: 'answer' }] });
  });
});
