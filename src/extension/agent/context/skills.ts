import { SKILLS } from '../../base/limits';
import { printable } from '../../tools/outputText';
import { folderEntries } from './folderEntries';
import { SKILL_FILE, shownPath, type ContextPlace } from './places';
import { readText, type ReadText } from './readText';
import { parseSkillFile } from './skillFile';

/** A skill as it is listed. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  /** Where the folder of the skill is. */
  readonly place: ContextPlace;
}

/** Skills that were found, and what a maintainer should know of those that were not. */
export interface FoundSkills {
  readonly skills: readonly Skill[];
  readonly complaints: readonly string[];
}

/** The skills of one folder of skills, by name. Never rejects. */
export async function skillsIn(place: ContextPlace, signal: AbortSignal): Promise<FoundSkills> {
  const names = await folderNames(place);
  const complaints: string[] = [];
  if (names.length > SKILLS) {
    complaints.push(`${shownPath(place, '')} has ${names.length} folders: only ${SKILLS} skills of it are listed`);
  }
  const skills: Skill[] = [];
  const read = names.slice(0, SKILLS).map(async (name) => {
    const folder: ContextPlace = { ...place, folder: `${place.folder}/${name}` };
    return { name, folder, file: await readText(folder, SKILL_FILE, signal) };
  });
  for (const { name, folder, file } of await Promise.all(read)) {
    const shown = printable(shownPath(folder, SKILL_FILE));
    const { skill, complaint } = skillOf(name, folder, file);
    if (skill !== undefined) skills.push(skill);
    if (complaint !== undefined) complaints.push(`${shown}: ${complaint}`);
  }
  return { skills, complaints };
}

/** One list without doubles: of those with one name the first wins, whose folder of skills comes first. */
export function mergedSkills(found: readonly FoundSkills[]): FoundSkills {
  const skills = new Map<string, Skill>();
  const complaints = found.flatMap((one) => one.complaints);
  for (const skill of found.flatMap((one) => one.skills)) {
    const winner = skills.get(skill.name);
    if (winner === undefined) skills.set(skill.name, skill);
    else {
      const [hidden, kept] = [skill, winner].map((one) => printable(shownPath(one.place, SKILL_FILE)));
      complaints.push(`${hidden}: hidden by ${kept}, which has the same name`);
    }
  }
  const listed = [...skills.values()];
  if (listed.length > SKILLS) complaints.push(`${listed.length - SKILLS} skills are not listed: there are too many`);
  return { skills: listed.slice(0, SKILLS), complaints };
}

function skillOf(
  name: string,
  place: ContextPlace,
  file: ReadText,
): { readonly skill?: Skill; readonly complaint?: string } {
  switch (file.kind) {
    case 'absent':
      return {};
    case 'refused':
      return { complaint: file.why };
    case 'text': {
      const parsed = parseSkillFile(file.text, name);
      if (!parsed.ok) return { complaint: `not listed, ${parsed.failure}` };
      const { flaw, description } = parsed.value;
      const skill = { name: parsed.value.name, description, place };
      return flaw === undefined ? { skill } : { skill, complaint: flaw };
    }
  }
}

/** Sorted. Links are among them: whether one leads to a folder shows when SKILL.md is looked for in it. */
async function folderNames(place: ContextPlace): Promise<readonly string[]> {
  const entries = await folderEntries(place);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .toSorted();
}
