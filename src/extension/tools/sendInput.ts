import * as z from 'zod';
import { COMMAND_INPUT_CHARS } from '../base/limits';
import { notFound } from './commands/notFound';
import { defineTool } from './defineTool';
import { answered, refused } from './tool';

/** Types into a command that runs in the background. */
export const sendInputTool = defineTool({
  name: 'send_input',
  description:
    'Types text into a command that runs in the background: its standard input, which is no terminal. End a line with a line break.',
  schema: z.object({
    id: z.string().min(1).describe('Id of the command, such as c1'),
    text: z.string().min(1).max(COMMAND_INPUT_CHARS).describe('Text to type'),
  }),
  example: { id: 'c1', text: 'yes\n' },
  readOnly: false,
  plan: ({ id, text }, host) => {
    const command = host.commands.get(id);
    if (command === undefined) return Promise.resolve(answered(notFound(id, host.commands)));
    return Promise.resolve({
      kind: 'ready',
      action: { kind: 'input', command: command.line.command, text },
      run: () =>
        Promise.resolve(
          command.write(text)
            ? { ok: true, content: `Typed. read_command with id ${id} reads what it prints.`, summary: 'typed' }
            : refused(
                command.end === undefined
                  ? `${id} takes no input: only commands in the background do, until they close it.`
                  : `${id} has ended.`,
                'no input',
              ),
        ),
    });
  },
});
