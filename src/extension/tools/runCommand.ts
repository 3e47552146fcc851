import { existsSync } from 'node:fs';
import * as z from 'zod';
import {
  COMMAND_CHARS,
  COMMAND_FIRST_MS,
  COMMAND_FIRST_QUIET_MS,
  COMMAND_LONGEST_SECONDS,
  COMMAND_SECONDS,
} from '../base/limits';
import type { CommandAction } from './action';
import { commandFolder } from './commands/commandFolder';
import { endedOutcome, joined, lateOutcome, newOutput } from './commands/commandWords';
import type { RunningCommand } from './commands/runningCommand';
import type { RunningCommands } from './commands/runningCommands';
import { shellOf } from './commands/shell';
import { within } from './commands/within';
import { defineTool } from './defineTool';
import { readIgnoreRules } from './ignoreRules';
import { namesGuarded } from './permissions/namesGuarded';
import { namesIgnored } from './permissions/namesIgnored';
import { answered, refused, type CallRun, type ToolOutcome } from './tool';

const shell = shellOf(process.platform, process.env, existsSync);

/** Runs a command line in the folder, and waits for its end or leaves it in the background. */
export const runCommandTool = defineTool({
  name: 'run_command',
  description:
    `Runs a command line in ${shell.name}. Each call is a new process in the workspace folder: cd and variables are not kept. ` +
    'Nobody answers what it asks: use options such as --yes. Long output is cut in the middle; read_command reads the rest. ' +
    'Use background for what does not end, such as a server: the answer has an id for read_command, send_input and stop_command.',
  schema: z.object({
    command: z.string().trim().min(1).describe('Command line'),
    folder: z.string().min(1).optional().describe('Folder to run in'),
    timeout_seconds: z
      .number()
      .min(1)
      .max(COMMAND_LONGEST_SECONDS)
      .optional()
      .describe(`It is ended after so long; ${COMMAND_SECONDS} if absent`),
    background: z.boolean().optional().describe('true: do not wait for its end'),
  }),
  example: { command: 'npm test' },
  readOnly: false,
  plan: async ({ command, folder, timeout_seconds: seconds = COMMAND_SECONDS, background = false }, host) => {
    if (command.includes('\0')) return answered(refused('The command contains a NUL character.', 'bad command'));
    if (command.length > COMMAND_CHARS) {
      const words = `The command has ${command.length} characters, ${COMMAND_CHARS} at most are run. Write it into a file and run that.`;
      return answered(refused(words, 'too long'));
    }
    const place = await commandFolder(host, folder ?? '.');
    if (!place.ok) return answered(place.failure);
    const { real: cwd, root, shown, outside } = place.value;
    const action: CommandAction = {
      kind: 'command',
      command,
      cwd,
      folder: shown,
      outside,
      shell,
      ...(background ? {} : { timeoutMs: seconds * 1_000 }),
      namesIgnored: await namesIgnored(command, cwd, root, await readIgnoreRules(root)),
      guarded: await namesGuarded(command, cwd, host),
    };
    return { kind: 'ready', action, run: (run) => start(action, host.commands, run) };
  },
});

async function start(action: CommandAction, commands: RunningCommands, run: CallRun): Promise<ToolOutcome> {
  if (run.signal.aborted) return stopped;
  const { command, cwd, timeoutMs } = action;
  const started = await commands.start({ command, cwd, shell: action.shell, background: timeoutMs === undefined });
  if (!started.ok) return refused(started.failure, 'not started');
  return timeoutMs === undefined
    ? inBackground(started.value, commands, run)
    : inForeground(started.value, timeoutMs, commands, run);
}

/** Stop ends it with everything that it started, and so does the end of its time. */
async function inForeground(
  command: RunningCommand,
  timeoutMs: number,
  { clock }: RunningCommands,
  run: CallRun,
): Promise<ToolOutcome> {
  const unwatch = command.watch((output) => run.output(output));
  try {
    await within(clock, timeoutMs, command.ended, run.signal);
    if (command.end !== undefined) return await endedOutcome(command, command.end);
    const left = await command.stop();
    return run.signal.aborted ? stopped : await lateOutcome(command, timeoutMs / 1_000, left);
  } finally {
    unwatch();
  }
}

/** Comes back when something was printed, or after a moment. */
async function inBackground(command: RunningCommand, { clock }: RunningCommands, run: CallRun): Promise<ToolOutcome> {
  let printed = (): void => undefined;
  const first = new Promise<void>((resolve) => (printed = resolve));
  const unwatch = command.watch((output) => {
    run.output(output);
    printed();
  });
  try {
    await within(clock, COMMAND_FIRST_MS, Promise.race([first, command.ended]), run.signal);
    if (command.end === undefined) await within(clock, COMMAND_FIRST_QUIET_MS, command.ended, run.signal);
  } finally {
    unwatch();
  }
  if (run.signal.aborted) {
    await command.stop();
    return stopped;
  }
  if (command.end !== undefined) return endedOutcome(command, command.end);
  const { id } = command;
  const how = `It runs in the background with id ${id}: read_command reads on, stop_command ends it.`;
  return { ok: true, content: joined([how, await newOutput(command)]), summary: `${id} runs` };
}

const stopped = refused('Stopped by the user before it ended.', 'stopped');
