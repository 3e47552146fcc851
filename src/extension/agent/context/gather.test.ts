import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../protocol/message';
import { systemClock } from '../../base/clock';
import { ManualClock } from '../../../../test/support/manualClock';
import { gatherContext, type GatheredContext } from './gather';

const never = new AbortController().signal;
let disk: string;
let home: string;
let root: string;

beforeEach(() => {
  disk = mkdtempSync(path.join(tmpdir(), 'context-'));
  home = path.join(disk, 'home');
  root = path.join(disk, 'project');
  mkdirSync(home);
  mkdirSync(root);
});

afterEach(() => rmSync(disk, { recursive: true, force: true }));

/** Writes a file, named from the folder that holds home and project. */
function put(name: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(path.join(disk, name)), { recursive: true });
  writeFileSync(path.join(disk, name), content);
}

function putSkill(folder: string, name: string, description: string): void {
  put(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\nBody.`);
}

function touching(...paths: readonly string[]): readonly Message[] {
  return paths.map((one, index) => {
    const part = { type: 'tool', name: 'read_file', arguments: { path: one }, state: 'done' } as const;
    return { seq: index + 1, role: 'assistant', status: 'done', createdAt: 0, parts: [part] };
  });
}

function gather(messages: readonly Message[] = [], places = { home, root }): Promise<GatheredContext> {
  return gatherContext(places, messages, systemClock, never);
}

const told = ({ texts }: GatheredContext): readonly string[] => texts.map(({ shown, text }) => `${shown}: ${text}`);

describe('The texts that go along', () => {
  it('are AGENTS.md, global, of the root and of touched folders, outermost first, then memory', async () => {
    put('home/.holdfast/AGENTS.md', 'everywhere');
    put('home/.holdfast/memory.md', 'of all');
    put('project/AGENTS.md', 'root');
    put('project/.holdfast/memory.md', 'of this');
    put('project/b/AGENTS.md', 'b');
    put('project/a/AGENTS.md', 'a');
    put('project/a/x/y/AGENTS.md', 'deep');
    put('project/a/other/AGENTS.md', 'not touched');
    put('project/a/x/y/z.ts', '');
    expect(told(await gather(touching('a/x/y/z.ts', 'b')))).toEqual([
      '~/.holdfast/AGENTS.md: everywhere',
      'AGENTS.md: root',
      'a/AGENTS.md: a',
      'b/AGENTS.md: b',
      'a/x/y/AGENTS.md: deep',
      '~/.holdfast/memory.md: of all',
      '.holdfast/memory.md: of this',
    ]);
  });

  it('guard: are none that are hidden from the agent, nor skills in a hidden folder', async () => {
    put('project/AGENTS.md', 'root');
    put('project/private/AGENTS.md', 'hidden');
    put('project/.holdfast/memory.md', 'memory');
    put('home/.holdfast/memory.md', 'of all');
    putSkill('project/.holdfast/skills/mine', 'mine', 'x');
    symlinkSync('private', path.join(root, 'door'));
    put('project/.holdfastignore', 'private\n/.holdfast\n');
    const gathered = await gather(touching('private/x.ts', 'door/x.ts'));
    expect(told(gathered)).toEqual(['AGENTS.md: root', '~/.holdfast/memory.md: of all']);
    expect(gathered.skills).toEqual([]);
    put('project/.holdfastignore', 'private\0');
    expect(told(await gather())).toEqual(['~/.holdfast/memory.md: of all']);
    put('project/.holdfastignore', '');
    expect(told(await gather())).toContain('AGENTS.md: root');
  });

  it('are read anew each time', async () => {
    put('project/AGENTS.md', 'before');
    expect(told(await gather())).toEqual(['AGENTS.md: before']);
    put('project/AGENTS.md', 'after');
    expect(told(await gather())).toEqual(['AGENTS.md: after']);
  });

  it('are nothing of the folder when it may not be read', async () => {
    put('home/.holdfast/AGENTS.md', 'everywhere');
    put('project/AGENTS.md', 'root');
    put('project/.holdfast/memory.md', 'of this');
    put('project/a/AGENTS.md', 'a');
    putSkill('project/.holdfast/skills/s', 's', 'of this');
    const gathered = await gatherContext({ home }, touching('a/b.ts'), systemClock, never);
    expect(told(gathered)).toEqual(['~/.holdfast/AGENTS.md: everywhere']);
    expect(gathered.skills).toEqual([]);
  });

  it('are none when there are none, without a complaint', async () => {
    expect(await gather(touching('gone/away.ts'))).toEqual({ texts: [], skills: [], complaints: [] });
    expect(await gather([], { home: path.join(disk, 'gone'), root: path.join(disk, 'gone too') })).toEqual({
      texts: [],
      skills: [],
      complaints: [],
    });
  });

  it('come once each, however many ways lead to them', async () => {
    put('home/.holdfast/memory.md', 'the same');
    put('home/a/AGENTS.md', 'a');
    symlinkSync('a', path.join(home, 'b'));
    expect(told(await gather(touching('a/x', 'b/x'), { home, root: home }))).toEqual([
      'a/AGENTS.md: a',
      '~/.holdfast/memory.md: the same',
    ]);
  });

  it('are well-formed text without a byte order mark', async () => {
    put('project/AGENTS.md', Buffer.concat([Buffer.from('\uFEFFcaf'), Buffer.from([0xe9]), Buffer.from('\r\n語')]));
    put('project/.holdfast/memory.md', Buffer.from('\uFEFFzażółć \uD800', 'utf16le'));
    expect(told(await gather())).toEqual(['AGENTS.md: caf\uFFFD\n語', '.holdfast/memory.md: zażółć \uFFFD']);
  });

  it('leave out a file that holds nothing but headings', async () => {
    put('project/AGENTS.md', '# Instructions for agents\n\n');
    put('project/.holdfast/memory.md', '');
    expect(await gather()).toMatchObject({ texts: [], complaints: [] });
  });

  it('are of ten touched folders at most, the last touched ones', async () => {
    const folders = Array.from({ length: 12 }, (_, index) => `f${String(index).padStart(2, '0')}`);
    for (const folder of folders) put(`project/${folder}/AGENTS.md`, folder);
    const gathered = await gather(touching(...folders));
    expect(told(gathered)).toEqual(folders.slice(2).map((folder) => `${folder}/AGENTS.md: ${folder}`));
    expect(gathered.complaints).toEqual(['2 more folders that were touched have an AGENTS.md']);
  });
});

describe('A file that cannot go along', () => {
  it('is left out with a complaint: what leads outside the folder, a device, a pipe, a huge or binary one', async () => {
    put('outside/AGENTS.md', 'secret');
    for (const folder of ['dev', 'pipe', 'huge', 'bin', 'dir', 'locked']) mkdirSync(path.join(root, folder));
    symlinkSync(path.join(disk, 'outside/AGENTS.md'), path.join(root, 'AGENTS.md'));
    symlinkSync(path.join(disk, 'outside'), path.join(root, 'way-out'));
    symlinkSync('/dev/zero', path.join(root, 'dev/AGENTS.md'));
    execFileSync('sh', ['-c', 'mkfifo pipe/AGENTS.md'], { cwd: root });
    put('project/huge/AGENTS.md', 'x'.repeat(300_000));
    put('project/bin/AGENTS.md', Buffer.from([1, 0, 2]));
    mkdirSync(path.join(root, 'dir/AGENTS.md'));
    const gathered = await gather(touching('way-out', 'dev', 'pipe', 'huge', 'bin', 'dir'));
    expect(told(gathered)).toEqual([]);
    expect(gathered.complaints.toSorted()).toEqual([
      'AGENTS.md: not told, outside the folder',
      'bin/AGENTS.md: not told, binary',
      'dev/AGENTS.md: not told, outside the folder',
      'dir/AGENTS.md: not told, no regular file',
      'huge/AGENTS.md: not told, more than 262144 bytes',
      'pipe/AGENTS.md: not told, no regular file',
      'way-out/AGENTS.md: not told, outside the folder',
    ]);
  });

  it('may be a link of the person’s own, but no device', async () => {
    put('dotfiles/agents.md', 'kept elsewhere');
    mkdirSync(path.join(home, '.holdfast'));
    symlinkSync(path.join(disk, 'dotfiles/agents.md'), path.join(home, '.holdfast/AGENTS.md'));
    symlinkSync('/dev/zero', path.join(home, '.holdfast/memory.md'));
    const gathered = await gather();
    expect(told(gathered)).toEqual(['~/.holdfast/AGENTS.md: kept elsewhere']);
    expect(gathered.complaints).toEqual(['~/.holdfast/memory.md: not told, no regular file']);
  });

  it('is left out when it is not there in time', async () => {
    put('project/AGENTS.md', 'slow');
    const clock = new ManualClock();
    const gathered = gatherContext({ root }, [], clock, never);
    clock.advance(2_000);
    expect(await gathered).toMatchObject({ texts: [], skills: [] });
    expect((await gathered).complaints).toContain('AGENTS.md: not told, could not be read in time');
  });

  it('is not waited for after Stop, and nothing is said of it', async () => {
    put('project/AGENTS.md', 'root');
    const stopped = gatherContext({ root }, [], new ManualClock(), AbortSignal.abort('stop'));
    expect(await stopped).toEqual({ texts: [], skills: [], complaints: [] });
  });
});

describe('Skills', () => {
  it('are listed from all places, by the order of those, and then by name', async () => {
    putSkill('home/.agents/skills/g', 'shared-global', 'd');
    putSkill('home/.holdfast/skills/f', 'global', 'c');
    putSkill('project/.agents/skills/e', 'shared', 'b');
    putSkill('project/.holdfast/skills/z', 'own-z', 'a');
    putSkill('project/.holdfast/skills/y', 'own-y', 'a');
    mkdirSync(path.join(root, '.holdfast/skills/no-skill'));
    put('project/.holdfast/skills/README.md', 'no skill either');
    const { skills, complaints } = await gather();
    expect(skills.map(({ name, description }) => `${name}: ${description}`)).toEqual([
      'own-y: a',
      'own-z: a',
      'shared: b',
      'global: c',
      'shared-global: d',
    ]);
    expect(complaints).toEqual([]);
  });

  it('of the folder win over global ones of the same name, which is said', async () => {
    putSkill('home/.holdfast/skills/notes', 'notes', 'global');
    putSkill('project/.holdfast/skills/notes', 'notes', 'of the folder');
    const { skills, complaints } = await gather();
    expect(skills.map(({ description }) => description)).toEqual(['of the folder']);
    expect(complaints).toEqual([
      '~/.holdfast/skills/notes/SKILL.md: hidden by .holdfast/skills/notes/SKILL.md, which has the same name',
    ]);
  });

  it('that are flawed are named with the reason', async () => {
    put('project/.holdfast/skills/a/SKILL.md', 'no front matter');
    put('project/.holdfast/skills/b/SKILL.md', '---\ndescription: Works.\n---\n');
    put('outside/SKILL.md', '---\nname: c\ndescription: secret\n---\n');
    symlinkSync(path.join(disk, 'outside'), path.join(root, '.holdfast/skills/c'));
    const { skills, complaints } = await gather();
    expect(skills.map(({ name }) => name)).toEqual(['b']);
    expect(complaints).toEqual([
      '.holdfast/skills/a/SKILL.md: not listed, it has no front matter',
      '.holdfast/skills/b/SKILL.md: its name is missing or no plain word; it goes by its folder’s',
      '.holdfast/skills/c/SKILL.md: outside the folder',
    ]);
  });

  it('are not looked for in a folder that a link puts outside', async () => {
    putSkill('outside/skills/s', 's', 'secret');
    symlinkSync(path.join(disk, 'outside'), path.join(root, '.holdfast'));
    expect((await gather()).skills).toEqual([]);
  });

  it('are a hundred of one place at most, which is said', async () => {
    for (let index = 0; index < 103; index += 1) putSkill(`project/.holdfast/skills/s${index}`, `s${index}`, 'd');
    const { skills, complaints } = await gather();
    expect(skills).toHaveLength(100);
    expect(complaints).toEqual(['.holdfast/skills/ has 103 folders: only 100 skills of it are listed']);
  });
});
