import { describe, expect, it } from 'vitest';
import { grantsFor } from './grants';
import { coversCommand, ruledWords } from './rules';
import { commandAction } from '../../../../test/support/tools/actions';

/** What is offered for a command, in short: `=` for these words only, `…` for any that follow. */
function offered(command: string): readonly string[] {
  return grantsFor(commandAction(command)).map((grant) => {
    if (grant.kind === 'answer') return 'answer';
    if (grant.rule.kind !== 'program') return grant.rule.kind;
    return `${grant.rule.exact ? '= ' : ''}${grant.rule.words.join(' ')}${grant.rule.exact ? '' : ' …'}`;
  });
}

describe('what is offered for a command', () => {
  it.each([
    ['npm test', 'npm test …'],
    ['npm test -- --watch=false', 'npm test …'],
    ['npm run build --silent', 'npm run build …'],
    ['git status', 'git status …'],
    ['cargo test -p core', 'cargo test …'],
    ['go build ./...', 'go build …'],
    ['docker compose up -d', 'docker compose up …'],
    ['ls -la', 'ls …'],
    ['pytest -k fast', 'pytest …'],
  ])('%j: these words, then %j, then the same again', (command, leading) => {
    expect(offered(command)).toEqual([`= ${command}`, leading, 'answer']);
  });

  it.each([
    'sh build.sh',
    'bash -c ls',
    'env ls',
    'xargs rm',
    'find . -name x',
    'sudo ls',
    'doas ls',
    'nohup ls',
    'timeout 5 ls',

    'nice ls',
    'ssh host ls',
    'node -e 1',
    'python -c 1',
    'perl -e 1',
    'ruby -e 1',
    'php -r 1',
    'awk x',
    'sed -n p a',

    'make test',
    'npx vitest',
    'pnpm dlx x',
    'yarn dlx x',
    'bunx x',
    'npm exec x',
    'npm install x',
    'npm run',
    'git',

    'git -c a.b=c status',
    'git push',
    'git config a b',
    'docker run x',
    'docker exec a ls',
    'rm -rf dist',
    'curl x',
    'wget x',

    './run.sh a',
    'scripts/run.sh',
    'unknown-tool a',
    'go test -exec x .',
    'cargo test --config x',
    'npm test --script-sh=x',
  ])('%j: these words only, then the same again', (command) => {
    expect(offered(command)).toEqual([`= ${command}`, 'answer']);
  });

  it.each([
    'npm test && ls',
    'npm test; ls',
    'npm test | tee x',
    'npm test > x',
    'FOO=1 npm test',
    'npm test $X',
    'npm test &',

    'ls *',
    'cat ~/x',
    'eval ls',
    'exec ls',
    'command ls',
    'builtin echo',
    'source x',
    '. x',
    'time ls',
    '',
    'ls\nrm',
    "printf -v 'a[$(rm)]' x",
    '"ls',
    "ls '",
    '""',
    'ls \u202eab',
  ])('%j: the same again only', (command) => {
    expect(offered(command)).toEqual(['answer']);
  });

  it('is nothing outside the folder', () => {
    expect(grantsFor(commandAction('ls', { outside: true }))).toEqual([]);
  });

  it('covers the command that it was offered for', () => {
    for (const command of ['npm test a', 'ls', 'git log "a b"', './run.sh', 'rm x']) {
      for (const grant of grantsFor(commandAction(command))) {
        if (grant.kind === 'rule')
          expect(coversCommand(grant.rule, ruledWords(commandAction(command)) ?? [])).toBe(true);
      }
    }
  });

  it('is a rule for words, not for a text that begins alike', () => {
    const rule = { kind: 'program', words: ['npm', 'test'], exact: false } as const;
    expect(coversCommand(rule, ['npm', 'test', 'a'])).toBe(true);
    for (const words of [
      ['npm'],
      ['npm', 'tests'],
      ['npm', 'testing', 'a'],
      ['npm', 'run', 'test'],
      ['npm test'],
      [],
    ]) {
      expect(coversCommand(rule, words)).toBe(false);
    }
    expect(coversCommand({ ...rule, exact: true }, ['npm', 'test', 'a'])).toBe(false);
  });

  it('is the tool for a tool that is not ours, and nothing for what is asked about each time', () => {
    expect(grantsFor({ kind: 'other', tool: 'jira_search', arguments: {} })).toEqual([
      { kind: 'rule', rule: { kind: 'tool', tool: 'jira_search' } },
      { kind: 'answer' },
    ]);
    expect(grantsFor({ kind: 'memory', scope: 'folder', path: '/m', text: 'x' })).toEqual([]);
    expect(grantsFor({ kind: 'input', command: 'node', text: 'x', namesIgnored: false, guarded: [] })).toEqual([]);
  });
});
