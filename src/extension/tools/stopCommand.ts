import * as z from 'zod';
import { endSentence, endSummary, joined, newOutput } from './commands/commandWords';
import { notFound } from './commands/notFound';
import type { RunningCommand } from './commands/runningCommand';
import { defineTool } from './defineTool';
import { answered, refused, type ToolOutcome } from './tool';

/** Ends a command of this conversation: what the model started, it may end without being asked. */
export const stopCommandTool = defineTool({
  name: 'stop_command',
  description: 'Ends a command that runs in the background, with everything that it started.',
  schema: z.object({ id: z.string().min(1).describe('Id of the command, such as c1') }),
  example: { id: 'c1' },
  readOnly: false,
  plan: ({ id }, host) => {
    const command = host.commands.get(id);
    return Promise.resolve(
      command === undefined ? answered(notFound(id, host.commands)) : { kind: 'ready', run: () => stop(command) },
    );
  },
});

async function stop(command: RunningCommand): Promise<ToolOutcome> {
  const hadEnded = !command.isAlive;
  const left = await command.stop();
  if (left.length > 0) {
    const pids = left.map(({ pid }) => pid).join(', ');
    return refused(`The system does not end these processes: ${pids}.`, 'not ended');
  }
  const { end, id } = command;
  if (end === undefined) return refused(`${id} does not end.`, 'not ended');
  const how = hadEnded ? `${id} had ended already.` : `${id} and everything that it started is ended.`;
  return { ok: true, content: joined([how, endSentence(end), await newOutput(command)]), ...endSummary(end) };
}
