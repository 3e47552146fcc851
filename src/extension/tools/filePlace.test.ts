import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATH_CHARS } from '../base/limits';
import { locate, type FilePlace } from './filePlace';
import { openToChange, openToCreate } from './openPlace';

let base: string;
let root: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'place-')));
  root = path.join(base, 'ws');
  for (const folder of ['ws/sub/deep', 'ws-evil', 'away']) mkdirSync(path.join(base, folder), { recursive: true });
  for (const file of ['ws/top.txt', 'ws/sub/inside.txt', 'ws-evil/secret.txt', 'away/secret.txt'])
    writeFileSync(path.join(base, file), 'as it was\n');
  const links: [string, string][] = [
    ['ws/out-file', '../away/secret.txt'],
    ['ws/out-dir', path.join(base, 'away')],
    ['ws/dangling-out', path.join(base, 'away/new.txt')],
    ['ws/dangling-in', 'sub/new.txt'],
    ['ws/dangling-twice', 'dangling-out'],
    ['ws/dangling-up', 'sub/deep/../../../away/new.txt'],
    ['ws/in-dir', 'sub'],
    ['ws/loop', 'loop'],
    ['door', 'ws'],
  ];
  for (const [link, target] of links) symlinkSync(target, path.join(base, link));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

async function placeOf(written: string, what: 'existing' | 'any' = 'any', special = {}): Promise<FilePlace | string> {
  const located = await locate({ root, ownFolders: [], ...special }, written, what);
  return located.ok ? located.value : located.failure.summary;
}

describe('a place that a call names', () => {
  it('guard: is of git where a file makes a folder a repository, or lies in one by any name', async () => {
    expect(await placeOf('sub/HEAD')).toMatchObject({ guard: 'hooks' });
    expect(await placeOf('sub/head')).toMatchObject({ guard: 'hooks' });
    expect(await placeOf('sub/config')).not.toHaveProperty('guard');
    for (const folder of ['objects', 'refs']) mkdirSync(path.join(root, 'sub', folder));
    writeFileSync(path.join(root, 'sub/HEAD'), 'ref: refs/heads/main\n');
    expect(await placeOf('sub/config')).toMatchObject({ guard: 'hooks' });
    expect(await placeOf('sub/deep/hook')).toMatchObject({ guard: 'hooks' });
    expect(await placeOf('top.txt')).not.toHaveProperty('guard');
  });

  it.each([
    ['top.txt', 'top.txt', true],
    ['in-dir/inside.txt', 'sub/inside.txt', true],
    ['in-dir/a/b.txt', 'sub/a/b.txt', false],
    ['new/deep/file.txt', 'new/deep/file.txt', false],
    ['dangling-in', 'sub/new.txt', false],
    ['../ws/top.txt', 'top.txt', true],
    ['.', '.', true],
  ])('%j lies inside at %j', async (written, shown, exists) => {
    expect(await placeOf(written)).toEqual({ real: path.join(root, shown), root, shown, outside: false, exists });
  });

  it.each([
    ['out-file', 'away/secret.txt', true],
    ['out-dir/new/x.txt', 'away/new/x.txt', false],
    ['dangling-out', 'away/new.txt', false],
    ['dangling-twice', 'away/new.txt', false],
    ['dangling-up', 'away/new.txt', false],
    ['../ws-evil/secret.txt', 'ws-evil/secret.txt', true],
    ['sub/../../away/none.txt', 'away/none.txt', false],
    ['out-file/x', 'away/secret.txt/x', false],
  ])('%j lies outside at %j, shown absolute', async (written, where, exists) => {
    const real = path.join(base, where);
    for (const what of ['existing', 'any'] as const)
      expect(await placeOf(written, what)).toEqual({ real, root, shown: real, outside: true, exists });
  });

  it('may be named by either name of the folder', async () => {
    const door = path.join(base, 'door');
    for (const written of ['sub/inside.txt', path.join(door, 'sub/inside.txt'), path.join(root, 'sub/inside.txt')])
      expect(await placeOf(written, 'existing', { root: door })).toMatchObject({ shown: 'sub/inside.txt', root });
  });

  it.each([
    ['missing.txt', 'not found'],
    ['loop', 'not found'],
    ['loop/x', 'not found'],
    ['top.txt/x', 'not found'],
    ['a'.repeat(300), 'bad path'],
    ['a/'.repeat(PATH_CHARS), 'bad path'],
    ['file:///etc/passwd', 'bad path'],
    ['\\\\?\\C:\\x', 'bad path'],
    ['//server/share', 'bad path'],
    ['top.txt\0', 'bad path'],
  ])('%j is refused in words when it has to be there', async (written, summary) => {
    expect(await placeOf(written, 'existing')).toBe(summary);
  });

  it('is hidden by either of its names, in whatever case, whether it is there or not', async () => {
    writeFileSync(path.join(root, '.holdfastignore'), '.env\nprivate/\nsub\n!.env.example\n');
    symlinkSync('.env', path.join(root, 'plain.txt'));
    mkdirSync(path.join(root, 'private'));
    symlinkSync('private', path.join(root, 'door'));
    for (const file of ['.env', '.env.example', 'private/key']) writeFileSync(path.join(root, file), '');
    for (const written of [
      '.env',
      '.ENV',
      'deep/.env',
      'plain.txt',
      'private',
      'private/none',
      'door/key',
      'in-dir',
      'in-dir/inside.txt',
    ])
      expect(await placeOf(written), written).toBe('hidden');
    expect(await placeOf('.env.example')).toMatchObject({ shown: '.env.example' });
    expect(await placeOf('top.txt')).toMatchObject({ shown: 'top.txt' });
  });

  it('is refused while the rules on what is hidden cannot be read', async () => {
    symlinkSync(path.join(base, 'away/secret.txt'), path.join(root, '.holdfastignore'));
    expect(await placeOf('top.txt')).toBe('rules unreadable');
  });
});

describe('a guarded place', () => {
  it.each([
    ['.vscode/settings.json', 'settings'],
    ['packages/a/.VSCode/tasks.json', 'settings'],
    ['My.code-workspace', 'settings'],
    ['.git/config', 'hooks'],
    ['.git', 'hooks'],
    ['sub/.git/hooks/pre-commit', 'hooks'],
    ['.GIT/hooks/x', 'hooks'],
    ['.git./config', 'hooks'],
    ['.g\u200cit/config', 'hooks'],
    ['.husky/pre-commit', 'hooks'],
    ['.githooks/pre-push', 'hooks'],
    ['.gitconfig', 'hooks'],
    ['.holdfastignore', 'own_data'],
    ['.holdfast/memory.md', 'own_data'],
    ['sub/AGENTS.md', 'own_data'],
    ['.agents/skills/a/SKILL.md', 'own_data'],
    ['dotfiles/.bashrc', 'profile'],
    ['.zshenv', 'profile'],
    ['.envrc', 'profile'],
    ['.config/fish/config.fish', 'profile'],
    ['Documents/PowerShell/Microsoft.PowerShell_profile.ps1', 'profile'],
    ['.ssh/authorized_keys', 'profile'],
    ['data/rows/1.db', 'own_data'],
    ['.unknownrc', 'profile'],
  ])('%j is one of: %s', async (written, guard) => {
    const special = { ownFolders: [path.join(root, 'data')], home: root };
    expect(await placeOf(written, 'any', special)).toMatchObject({ guard });
  });

  it.each([
    'src/hooks/useTree.ts',
    '.gitignore',
    '.github/ci.yml',
    '.env',
    'src/profile.ts',
    'database/x',
    'vscode/x.json',
  ])('%j is none', async (written) => {
    const special = { ownFolders: [path.join(root, 'data')], home: base };
    expect(await placeOf(written, 'any', special)).not.toHaveProperty('guard');
  });

  it('is one by each of its names', async () => {
    mkdirSync(path.join(root, '.git/hooks'), { recursive: true });
    symlinkSync('.git/hooks', path.join(root, 'scripts'));
    symlinkSync('../top.txt', path.join(root, '.git/alias'));
    expect(await placeOf('scripts/pre-commit')).toMatchObject({ guard: 'hooks', shown: '.git/hooks/pre-commit' });
    expect(await placeOf('.git/alias')).toMatchObject({ guard: 'hooks', shown: 'top.txt' });
    symlinkSync('.bashrc', path.join(root, 'rc'));
    expect(await placeOf('rc')).toMatchObject({ guard: 'profile', exists: false });
  });
});

describe('guard: opening a place to change it', () => {
  async function found(written: string): Promise<FilePlace> {
    const place = await placeOf(written);
    if (typeof place === 'string') throw new Error(place);
    return place;
  }

  it('opens the file that was named, in place', async () => {
    linkSync(path.join(root, 'top.txt'), path.join(root, 'twin.txt'));
    const handle = await openToChange(await found('top.txt'));
    await handle?.write('IS', 0);
    await handle?.close();
    expect(readFileSync(path.join(root, 'twin.txt'), 'utf8')).toBe('IS it was\n');
  });

  it('opens neither what a link came to lead to, nor a folder, nor a pipe', async () => {
    const place = await found('sub/inside.txt');
    await rename(path.join(root, 'sub'), path.join(root, 'sub-was'));
    symlinkSync('../away', path.join(root, 'sub'));
    writeFileSync(path.join(base, 'away/inside.txt'), 'as it was\n');
    expect(await openToChange(place)).toBeUndefined();
    expect(await openToChange(await found('sub-was'))).toBeUndefined();
    expect(
      await openToCreate({ ...place, real: path.join(root, 'sub/new.txt') }).catch(() => undefined),
    ).toBeUndefined();
    expect(() => statSync(path.join(base, 'away/new.txt'))).toThrow('ENOENT');
  });

  it('makes a file with the folders on its way, and never over another', async () => {
    const place = await found('a/b/c.txt');
    const handle = await openToCreate(place, 0o600);
    await handle?.writeFile('new');
    await handle?.close();
    expect(readFileSync(path.join(root, 'a/b/c.txt'), 'utf8')).toBe('new');
    expect(statSync(path.join(root, 'a/b/c.txt')).mode & 0o777).toBe(0o600);
    await expect(openToCreate(place)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('makes nothing beyond the folder when a folder on the way was replaced by a link', async () => {
    mkdirSync(path.join(root, 'a'));
    const place = await found('a/b/c.txt');
    rmSync(path.join(root, 'a'), { recursive: true });
    symlinkSync('../away', path.join(root, 'a'));
    expect(await openToCreate(place).catch(() => undefined)).toBeUndefined();
    expect(() => statSync(path.join(base, 'away/b'))).toThrow('ENOENT');
  });
});
