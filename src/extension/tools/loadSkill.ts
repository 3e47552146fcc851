import * as z from 'zod';
import { enclosed, neutralised } from '../base/frame';
import { SKILL_FILES } from '../base/limits';
import { defineTool } from './defineTool';
import { counted, printable } from './outputText';
import type { LoadedSkill } from './skillSource';
import { refused, type ToolOutcome } from './tool';

/** Reads what a skill says. To be offered only when there is one. */
export const loadSkillTool = defineTool({
  name: 'load_skill',
  description:
    'Loads a skill: how a kind of task is done here. The skills are in the list of skills of the background. ' +
    'Load one before you begin a task that its description fits.',
  schema: z.object({ name: z.string().min(1).describe('Name of the skill, as in the list') }),
  example: { name: 'release-notes' },
  readOnly: true,
  run: async ({ name }, { skills }, signal) => {
    const names = skills?.names ?? [];
    const wanted = names.find((one) => one === name) ?? names.find((one) => plain(one) === plain(name));
    if (skills === undefined || wanted === undefined) {
      const available = names.length === 0 ? 'There are no skills now.' : `Available: ${names.join(', ')}.`;
      return refused(`There is no skill ${JSON.stringify(name)}. ${available}`, 'no such skill');
    }
    const loaded = await skills.load(wanted, signal);
    return loaded.ok ? told(loaded.value) : refused(loaded.failure, 'cannot be read');
  },
});

/** Models write names in their own case, and with the signs of a list around them. */
function plain(name: string): string {
  return name.replaceAll(/[\s"'`]/g, '').toLowerCase();
}

function told({ name, folder, body, files, readable }: LoadedSkill): ToolOutcome {
  const skill = enclosed('skill_md', { name, path: `${folder}/SKILL.md` }, neutralised(body));
  return {
    ok: true,
    content: [skill, ...besideWords(folder, files, readable)].join('\n'),
    summary: counted(body === '' ? 0 : body.split('\n').length, 'line', 'lines'),
  };
}

function besideWords(folder: string, files: readonly string[], readable: boolean): readonly string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, SKILL_FILES).map((name) => neutralised(printable(name)));
  const more = files.length - names.length;
  const how = readable ? 'read them with read_file' : 'outside the workspace folder, so that tools cannot read them';
  const rest = more === 0 ? '' : ` and ${more} more`;
  return [`Beside it in ${neutralised(printable(folder))} (${how}): ${names.join(', ')}${rest}`];
}
