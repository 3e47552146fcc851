import * as path from 'node:path';
import * as z from 'zod';
import { MEMORY_ENTRY_CHARS } from '../base/limits';
import { defineTool } from './defineTool';
import { hidden, readIgnoreRules } from './ignoreRules';
import { answered, refused } from './tool';

/** Adds something to what goes along with every conversation from now on. */
export const rememberTool = defineTool({
  name: 'remember',
  description:
    'Remembers one fact for later conversations: a decision, a preference of the user, how something is done here. ' +
    'The user is asked. Not for what stands in the files, and not for steps of this task.',
  schema: z.object({
    text: z.string().min(1).describe('One or two sentences that make sense without this conversation'),
    scope: z
      .enum(['folder', 'everywhere'])
      .default('folder')
      .describe('folder: in this workspace folder; everywhere: in all folders of the user'),
  }),
  example: { text: 'Commit messages are in English.', scope: 'folder' },
  readOnly: false,
  plan: async ({ text, scope }, host) => {
    const entry = oneParagraph(text);
    if (entry === '') return answered(refused('There is nothing to remember in the text.', 'nothing'));
    if (entry.length > MEMORY_ENTRY_CHARS) {
      const words = `The text has ${entry.length} characters, ${MEMORY_ENTRY_CHARS} at most are remembered. Say it shorter.`;
      return answered(refused(words, 'too long'));
    }
    const file = host.memory.path(scope);
    if (file === undefined) {
      const words =
        scope === 'folder' ? 'Nothing can be remembered for this folder now.' : 'There is no place to remember it.';
      return answered(refused(words, 'no such place'));
    }
    if (
      scope === 'folder' &&
      (await readIgnoreRules(host.root)).isIgnored(path.relative(host.root, file).split(path.sep).join('/'))
    ) {
      return answered(hidden(path.relative(host.root, file)));
    }
    return {
      kind: 'ready',
      action: { kind: 'memory', scope, path: file, text: entry },
      run: async () => {
        const added = await host.memory.append(scope, entry);
        return added.ok
          ? { ok: true, content: 'Remembered. It is told at the start of later turns.', summary: 'remembered' }
          : refused(added.failure, 'not remembered');
      },
    };
  },
});

/** What is shown is what is written: one line, with nothing in it that cannot be seen or turns the order of what can. */
function oneParagraph(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu, (signs: string, at: number, whole: string) =>
      JOINS.test(signs) && whole.charAt(at - 1) > '\u007f' ? signs : '',
    )
    .trim();
}

/** What other scripts and emoji need: how the sign before is shown, and that it is joined to the next or not. */
const JOINS = /^(?:\ufe0e|\ufe0f)?(?:\u200c|\u200d)?$/u;
