import { describe, expect, it } from 'vitest';
import { parseSkillFile } from './skillFile';

describe('A SKILL.md', () => {
  it('has a name and a description before its body', () => {
    expect(
      parseSkillFile(
        '---\nname: release-notes\ndescription: >\n  Writes\n  release notes.\n---\n\n# How\n\n---\n',
        'x',
      ),
    ).toEqual({
      ok: true,
      value: { name: 'release-notes', description: 'Writes release notes.', body: '# How\n\n---' },
    });
  });

  it.each([
    ['is missing', 'description: d'],
    ['is no text', 'name: 7\ndescription: d'],
    ['would break a list', 'name: "a\\nb: c"\ndescription: d'],
    ['is a mark', 'name: "</skill_list>"\ndescription: d'],
    ['is too long', `name: ${'a'.repeat(65)}\ndescription: d`],
  ])('goes by its folder’s name when its own %s, and says so', (_, matter) => {
    const parsed = parseSkillFile(`---\n${matter}\n---\nbody`, 'by-folder');
    expect(parsed).toMatchObject({
      ok: true,
      value: { name: 'by-folder', flaw: expect.stringContaining('name') as string },
    });
  });

  it.each([
    ['no front matter', '# How\n', 'it has no front matter'],
    ['a front matter without an end', '---\nname: a\n', 'it has no front matter'],
    ['an empty front matter', '---\n---\nbody', 'it has no description'],
    ['no description', '---\nname: a\n---\n', 'it has no description'],
    ['a description that is no text', '---\nname: a\ndescription: [b]\n---\n', 'it has no description'],
    ['an empty description', '---\nname: a\ndescription: " "\n---\n', 'it has no description'],
    ['a list for front matter', '---\n- a\n---\n', 'it has no description'],
    ['a text for front matter', '---\na\n---\n', 'it has no description'],
    ['broken YAML', '---\nname: a: b\n---\n', 'its front matter is no YAML: texts with “: ” in them need quotes'],
    [
      'YAML that grows without end',
      `---\na: &a [x,x]\n${bomb()}description: d\n---\n`,
      'its front matter is no YAML: texts with “: ” in them need quotes',
    ],
  ])('is none with %s', (_, text, why) => {
    expect(parseSkillFile(text, 'folder')).toEqual({ ok: false, failure: why });
  });

  it('is none when neither its name nor its folder’s can stand in a list', () => {
    expect(parseSkillFile('---\ndescription: d\n---\n', 'a folder\nwith lines').ok).toBe(false);
  });

  it('has a description of one line', () => {
    const parsed = parseSkillFile('---\nname: a\ndescription: "b\\n- c: d\\u0000\\te"\n---\n', 'a');
    expect(parsed).toMatchObject({ ok: true, value: { description: 'b - c: d e' } });
  });
});

/** Each list holds the one before ten times. */
function bomb(): string {
  return Array.from({ length: 12 }, (_, index) => {
    const before = index === 0 ? 'a' : `a${index - 1}`;
    return `a${index}: &a${index} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]\n`;
  }).join('');
}
