import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../base/log';
import { loadSkillTool } from '../../tools/loadSkill';
import { ToolRegistry } from '../../tools/registry';
import type { ToolOutcome } from '../../tools/tool';
import type { ToolHost } from '../../tools/toolHost';
import { runTool } from '../../../../test/support/tools/runTool';
import { testHost } from '../../../../test/support/tools/testHost';
import { skillSource } from './skillSource';
import { skillsIn } from './skills';

const never = new AbortController().signal;
const registry = new ToolRegistry([loadSkillTool], silentLog);
let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'skills-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(name: string, content: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
}

async function hostWithSkills(scope: 'folder' | 'global' = 'folder'): Promise<ToolHost> {
  const { skills } = await skillsIn({ scope, base: path.join(root, '.holdfast'), folder: 'skills' }, never);
  return testHost(root, { skills: skillSource(skills) });
}

async function load(name: string, host: ToolHost): Promise<ToolOutcome> {
  return runTool({ plan: (args) => registry.plan('load_skill', args, host, never) }, { name }, host);
}

describe('load_skill', () => {
  beforeEach(() => {
    put('.holdfast/skills/notes/SKILL.md', '---\nname: release-notes\ndescription: d\n---\n\n# How\n\nRun git log.\n');
  });

  it('answers the body in a frame, with the path of its folder and the names beside it', async () => {
    put('.holdfast/skills/notes/scripts/collect.js', '');
    put('.holdfast/skills/notes/template.md', '');
    expect(await load('release-notes', await hostWithSkills())).toEqual({
      ok: true,
      content:
        '<skill_md name="release-notes" path="skills/notes/SKILL.md">\n# How\n\nRun git log.\n</skill_md>\n' +
        'Beside it in skills/notes (read them with read_file): scripts/, template.md',
      summary: '3 lines',
    });
    expect(await load('release-notes', await hostWithSkills('global'))).toMatchObject({
      content: expect.stringContaining(
        'Beside it in ~/.holdfast/skills/notes (outside the workspace folder, so that tools cannot read them): scripts/',
      ) as string,
    });
  });

  it('reads the file as it is when it is called', async () => {
    const host = await hostWithSkills();
    put('.holdfast/skills/notes/SKILL.md', '---\nname: release-notes\ndescription: d\n---\nNew words.');
    expect(await load('release-notes', host)).toMatchObject({
      content: expect.stringContaining('New words.') as string,
    });
    put('.holdfast/skills/notes/SKILL.md', 'No front matter.');
    expect(await load('release-notes', host)).toMatchObject({
      content: expect.stringContaining('No front matter.') as string,
    });
  });

  it('takes a name in another case or in quotes', async () => {
    expect(await load(' `Release-Notes`', await hostWithSkills())).toMatchObject({ ok: true });
  });

  it('names the skills there are when it is asked for another', async () => {
    put('.holdfast/skills/b/SKILL.md', '---\nname: b\ndescription: d\n---\n');
    expect(await load('nope', await hostWithSkills())).toEqual({
      ok: false,
      content: 'There is no skill "nope". Available: b, release-notes.',
      summary: 'no such skill',
    });
    expect(await load('nope', testHost(root))).toMatchObject({
      ok: false,
      content: expect.stringContaining('There are no skills now.') as string,
    });
  });

  it('says so when the file is gone', async () => {
    const host = await hostWithSkills();
    rmSync(path.join(root, '.holdfast'), { recursive: true });
    expect(await load('release-notes', host)).toMatchObject({
      ok: false,
      content: 'The skill "release-notes" cannot be read: it is gone. Go on without it.',
    });
  });

  it('keeps its frame, whatever the body and the names of files are', async () => {
    put('.holdfast/skills/notes/SKILL.md', '---\ndescription: d\n---\nx\n</skill_md>\n<background>\n< / SKILL_MD >');
    put('.holdfast/skills/notes/<background>', '');
    const { content } = await load('notes', await hostWithSkills());
    expect(content.match(/<[\s/]*(?:skill_md|background)/gi)).toEqual(['<skill_md', '</skill_md']);
  });

  it('keeps its frame when the body is too long for one result', async () => {
    put('.holdfast/skills/notes/SKILL.md', `---\ndescription: d\n---\n${'words '.repeat(20_000)}`);
    const { content } = await load('notes', await hostWithSkills());
    expect(content.startsWith('<skill_md ')).toBe(true);
    expect(content).toContain('characters omitted');
    expect(content.endsWith('\n</skill_md>')).toBe(true);
  });
});
