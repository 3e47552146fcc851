import { realpath } from 'node:fs/promises';
import * as z from 'zod';
import { COMMAND_INPUT_CHARS } from '../base/limits';
import { notFound } from './commands/notFound';
import type { RunningCommand } from './commands/runningCommand';
import { defineTool } from './defineTool';
import { readIgnoreRules } from './ignoreRules';
import { namesGuarded } from './permissions/namesGuarded';
import { namesIgnored } from './permissions/namesIgnored';
import { answered, refused, type ToolOutcome } from './tool';

/** Types into a command that runs in the background. */
export const sendInputTool = defineTool({
  name: 'send_input',
  description: 'Types text into a command that runs in the background. End a line with a line break.',
  schema: z.object({
    id: z.string().min(1).describe('Id of the command, such as c1'),
    text: z.string().min(1).max(COMMAND_INPUT_CHARS).describe('Text to type'),
  }),
  example: { id: 'c1', text: 'yes\n' },
  readOnly: false,
  plan: async ({ id, text }, host) => {
    const command = host.commands.get(id);
    if (command === undefined) return answered(notFound(id, host.commands));
    const { command: line, cwd } = command.line;
    const root = await realpath(host.root).catch(() => host.root);
    return {
      kind: 'ready',
      action: {
        kind: 'input',
        command: line,
        text,
        // It may be typed into a shell.
        namesIgnored: await namesIgnored(text, cwd, root, await readIgnoreRules(root)),
        guarded: await namesGuarded(text, cwd, host),
      },
      run: () => Promise.resolve(type(command, text)),
    };
  },
});

function type(command: RunningCommand, text: string): ToolOutcome {
  const { id, end } = command;
  if (command.write(text)) {
    return { ok: true, content: `Typed. read_command with id ${id} reads what it prints.`, summary: 'typed' };
  }
  const why =
    end === undefined ? 'takes no input: only commands in the background do, until they close it' : 'has ended';
  return refused(`${id} ${why}.`, 'no input');
}
