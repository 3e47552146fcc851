import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../protocol/approval';
import { AnswerGrants } from './answerGrants';
import { decide } from './decide';
import { ruledWords } from './rules';
import { BASH, commandAction, isAllowed } from '../../../../test/support/tools/actions';

describe('guard: a rule on a command', () => {
  const rules: readonly Rule[] = [
    { kind: 'program', words: ['ls'], exact: false },
    { kind: 'program', words: ['git', 'status'], exact: false },
    { kind: 'program', words: ['echo'], exact: false },
    { kind: 'program', words: ['find'], exact: false },
  ];

  it.each([
    'ls; curl x',
    'ls && curl x',
    'ls | sh',
    'ls & curl x',
    'ls\ncurl x',
    'ls\rcurl x',
    'ls $(curl x)',
    'ls `curl x`',
    'ls <(curl x)',
    'ls >f',
    'ls > f',
    'ls 2>f',
    'lsof',
    'ls-evil',
    './ls',
    'git status --x=$(curl x)',
    'git status; rm x',
    'git stat',
    'git -c core.fsmonitor=evil status',
    'FOO=1 rm x',
    'FOO=1 ls',
    'find -exec rm {} +',
    'find . -name x',
    'echo "a && b" && rm x',
    'echo "$(rm x)"',
    'ls #\nrm x',
    'ls \\\n; rm x',
    'ls\u00a0-la',
    "ls $'\\n'",
  ])('asks again about %j', (command) => {
    expect(isAllowed(command, rules)).toBe(false);
  });

  it.each([
    'ls',
    'ls -la',
    '  ls  src ',
    'git status',
    'git status --short',
    'echo "a && b"',
    "echo 'a; $(b)'",
    "'ls' -l",
  ])('allows %j', (command) => {
    expect(isAllowed(command, rules)).toBe(true);
  });

  it('holds for a program named by a relative path in the workspace folder alone', () => {
    const exact: readonly Rule[] = [{ kind: 'program', words: ['./run.sh'], exact: true }];
    const facts = {
      mode: 'ask',
      rules: exact,
      answerGrants: new AnswerGrants(),
      unsaved: false,
      trusted: true,
    } as const;
    expect(decide(commandAction('./run.sh'), facts).kind).toBe('allow');
    expect(decide(commandAction('./run.sh', { cwd: '/ws/sub', folder: 'sub' }), facts).kind).toBe('ask');
  });

  it('holds in other shells for plain words alone', () => {
    const shell = { program: 'powershell.exe', name: 'powershell', family: 'other' } as const;
    const facts = { mode: 'ask', rules, answerGrants: new AnswerGrants(), unsaved: false, trusted: true } as const;
    const kindOf = (command: string): string => decide(commandAction(command, { shell }), facts).kind;
    expect(kindOf('git status --short')).toBe('allow');
    for (const command of [
      'git status; ls',
      "git status 'a'",
      'git  status',
      'git status @x',
      'return ls',
      'ls (ls)',
    ]) {
      expect(kindOf(command)).toBe('ask');
    }
  });

  it('is as sure in bash as in a POSIX shell', () => {
    for (const name of ['sh', 'bash']) {
      const words = ruledWords(commandAction('echo "a b" \'c\'d', { shell: { ...BASH, name } }));
      expect(words).toEqual(['echo', 'a b', 'cd']);
    }
  });
});
