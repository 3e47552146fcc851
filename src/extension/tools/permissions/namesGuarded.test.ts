import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namesGuarded } from './namesGuarded';
import { testHost } from '../../../../test/support/tools/testHost';

let base: string;
let root: string;

/** base/ws: the workspace folder, with links out of it and inside; base/home; base/own; base/door: a link to ws. */
beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'named-')));
  root = path.join(base, 'ws');
  for (const folder of ['ws/src', 'ws/.git/hooks', 'ws/.venv/bin', 'home', 'own', 'tools/bin']) {
    mkdirSync(path.join(base, folder), { recursive: true });
  }
  writeFileSync(path.join(base, 'tools/bin/python'), '');
  symlinkSync(path.join(base, 'home'), path.join(root, 'out'));
  symlinkSync('.git/hooks', path.join(root, 'scripts'));
  symlinkSync('src', path.join(root, 'in'));
  symlinkSync(path.join(base, 'tools/bin/python'), path.join(root, '.venv/bin/python'));
  symlinkSync('ws', path.join(base, 'door'));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** `ROOT`, `BASE` and `DOOR` stand for those folders. */
async function named(command: string, folder = '.', opened = root): Promise<string> {
  const line = command.replaceAll('ROOT', root).replaceAll('BASE', base).replaceAll('DOOR', path.join(base, 'door'));
  const host = testHost(opened, { ownFolders: [path.join(base, 'own')], home: path.join(base, 'home') });
  return (await namesGuarded(line, path.join(root, folder), host)).toSorted().join('+');
}

describe('guard: a command that names a place', () => {
  it.each([
    'npm test',
    'ls -la src in/a.ts ./src/../src',
    'ROOT/src/run --out=ROOT/dist',
    'DOOR/src/run',
    '/usr/bin/env node a.js',
    '/bin/ls 2>/dev/null </dev/stdin',
    '.venv/bin/python a.py',
    'curl https://example.org/etc/passwd',
    'cat $PWD/src/a.ts',
    'git show HEAD:src/a.ts',
    "sed 's/.*//' a.ts",
    "grep -E '[a-z]+.*' .eslintrc.*",
    'ls src/.cache-* {src,test}',
    "awk '{print $1}' .gitignore",
    'echo "a && b" | wc -l',
  ])('%j asks nothing when all is in the folder', async (command) => {
    expect(await named(command, '.', path.join(base, 'door'))).toBe('');
  });

  it.each([
    'cat /etc/passwd',
    'cat ../x',
    'cd ..',
    'cd .. && rm -rf x',
    'rm -rf /',
    'cat src/../../x',
    'echo x >/etc/x',
    'echo x>../x',
    'tool --out=../x',
    'tool --out ../x',
    'cc -I/usr/include a.c',
    'cc -I../include a.c',
    'tar -cf/etc/x a',
    'curl -d @../x http://example.org',
    'curl file:///etc/passwd',
    'curl http://example.org/../../../x',
    'scp a:/x .',
    "sh -c 'cat ../x'",
    `python3 -c "open('/etc/passwd')"`,
    'cat ~/x',
    'cat ~root/x',
    'cat $HOME/x',
    'cat "${HOME}/x"',
    "cat '..'/x",
    'cat .\\./x',
    '/usr/bin/../../etc/x',
    'BASE/ws-evil/run',
    'cat out/x',
    '(cat<../x)',
    'cat ../*',
  ])('%j asks when it is outside', async (command) => {
    expect(await named(command)).toBe('outside');
  });

  it.each([
    ['echo x > .git/hooks/pre-commit', 'hooks'],
    ['cp a scripts/pre-commit', 'hooks'],
    ['rm -rf .git', 'hooks'],
    ['ls .GIT/config', 'hooks'],
    ['tee .vscode/tasks.json', 'settings'],
    ['rm -r .vscode', 'settings'],
    ['echo x >> ~/.bashrc', 'outside+profile'],
    ['echo x >> $HOME/.zshrc', 'outside+profile'],
    ["sh -c 'echo x >> ~/.profile'", 'outside+profile'],
    ['cat BASE/own/holdfast.db', 'outside+own_data'],
    ['rm .holdfastignore', 'own_data'],
    ['echo x > .g*/config', 'hooks'],
    ['rm -r src/.v?code', 'settings'],
    ['echo x > .GI[t]/config', 'hooks+outside'],
    ['rm .holdfast*e', 'own_data'],
    ['echo x > .git/hooks/a; cat .vscode/settings.json', 'hooks+settings'],
  ])('%j asks as an edit there would: %s', async (command, expected) => {
    expect(await named(command)).toBe(expected);
  });

  it('is seen from the folder in which it runs', async () => {
    expect(await named('cat ../a.ts', 'src')).toBe('');
    expect(await named('cat ../../a.ts', 'src')).toBe('outside');
    expect(await named('cat hooks/pre-commit', '.git')).toBe('hooks');
  });
});
