import { failed, succeeded, type Result } from '../../base/result';
import type { LoadedSkill, SkillSource } from '../../tools/skillSource';
import { folderEntries } from './folderEntries';
import { SKILL_FILE, shownPath, type ContextPlace } from './places';
import { readText } from './readText';
import { parseSkillFile } from './skillFile';
import type { Skill } from './skills';

/** The skills of a turn, read when they are asked for. */
export function skillSource(skills: readonly Skill[]): SkillSource {
  return {
    names: skills.map(({ name }) => name),
    load: async (name, signal) => {
      const skill = skills.find((one) => one.name === name);
      return skill === undefined ? failed(`There is no skill "${name}".`) : load(skill, signal);
    },
  };
}

async function load({ name, place }: Skill, signal: AbortSignal): Promise<Result<LoadedSkill, string>> {
  const file = await readText(place, SKILL_FILE, signal);
  if (file.kind !== 'text') {
    const why = file.kind === 'absent' ? 'it is gone' : file.why;
    return failed(`The skill "${name}" cannot be read: ${why}. Go on without it.`);
  }
  const parsed = parseSkillFile(file.text, name);
  // Its front matter was changed since it was listed: the whole of it still says what to do.
  const body = parsed.ok ? parsed.value.body : file.text.trim();
  const folder = shownPath(place, '').replace(/\/$/, '');
  return succeeded({ name, folder, body, files: await filesBeside(place), readable: place.scope === 'folder' });
}

async function filesBeside(place: ContextPlace): Promise<readonly string[]> {
  const entries = await folderEntries(place);
  return entries
    .filter(({ name }) => name !== SKILL_FILE)
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted();
}
