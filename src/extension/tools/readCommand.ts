import * as z from 'zod';
import { COMMAND_WAIT_SECONDS, READ_BYTES } from '../base/limits';
import { endSentence, endSummary, joined, leftSentence, newOutput } from './commands/commandWords';
import { notFound } from './commands/notFound';
import type { RunningCommand } from './commands/runningCommand';
import { within } from './commands/within';
import { defineTool } from './defineTool';
import { LineWindow } from './lineWindow';
import { linesOf } from './textFile';
import { answered, refused, type ToolOutcome } from './tool';

/**
 * Reads what a command has printed. It is not among the tools that only read: each call moves on, and answers that were
 * given before are no answers to it.
 */
export const readCommandTool = defineTool({
  name: 'read_command',
  description:
    'Reads what a command has printed since it was read last, and whether it still runs. With from_line: any part of it.',
  schema: z.object({
    id: z.string().min(1).describe('Id of the command, such as c1'),
    wait_seconds: z
      .number()
      .min(0)
      .max(COMMAND_WAIT_SECONDS)
      .optional()
      .describe('Wait so long for its end before reading'),
    from_line: z.int().min(1).optional().describe('First line to read, counted from 1'),
  }),
  example: { id: 'c1', wait_seconds: 10 },
  readOnly: false,
  plan: ({ id, wait_seconds: seconds = 0, from_line: line }, host) => {
    const command = host.commands.get(id);
    if (command === undefined) return Promise.resolve(answered(notFound(id, host.commands)));
    return Promise.resolve({
      kind: 'ready',
      run: async ({ signal }) => {
        if (line !== undefined) return readLines(command, line, signal);
        if (command.end === undefined) await within(host.commands.clock, seconds * 1_000, command.ended, signal);
        return readNew(command);
      },
    });
  },
});

async function readNew(command: RunningCommand): Promise<ToolOutcome> {
  const { end, id } = command;
  if (end === undefined) {
    const content = joined([`${id} still runs: ${command.line.command}`, await newOutput(command)]);
    return { ok: true, content, summary: `${id} runs` };
  }
  const left = leftSentence(command, await command.processes());
  const content = joined([`${id}: ${command.line.command}`, endSentence(end), left, await newOutput(command)]);
  return { ok: true, content, ...endSummary(end) };
}

async function readLines({ id, output }: RunningCommand, line: number, signal: AbortSignal): Promise<ToolOutcome> {
  const read = await output.linesFrom(line, 4 * READ_BYTES, signal);
  switch (read.kind) {
    case 'behind':
      return refused(`${id} has printed ${read.lines} lines; from_line ${line} is behind the end.`, 'behind the end');
    case 'lost':
      return refused(`Line ${line} is not kept: ${output.lost ?? 'it cannot be read any more'}.`, 'not kept');
    case 'found': {
      const lines = linesOf(read.text);
      const window = new LineWindow();
      lines.every((each) => window.add(each));
      const last = line + window.lines.length - 1;
      const more = window.lines.length < lines.length ? [`[… cut here: read on with from_line ${last + 1} …]`] : [];
      const content = [`[${id}, lines ${line}-${last}]`, ...window.lines, ...more].join('\n');
      return { ok: true, content, summary: `${line}–${last}` };
    }
  }
}
