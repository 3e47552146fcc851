import type { JsonObject } from '../../../src/protocol/part';
import type { CallRun, Planned, Tool, ToolOutcome } from '../../../src/extension/tools/tool';
import type { ToolHost } from '../../../src/extension/tools/toolHost';

const never = new AbortController().signal;

/** Does what was planned, as if leave had been given. */
export function carryOut(
  planned: Planned,
  signal: AbortSignal = never,
  output: CallRun['output'] = () => undefined,
): Promise<ToolOutcome> {
  return planned.kind === 'answered' ? Promise.resolve(planned.outcome) : planned.run({ signal, output });
}

/** Runs one call of a tool, as if leave had been given. */
export async function runTool(
  tool: Pick<Tool, 'plan'>,
  args: JsonObject,
  host: ToolHost,
  signal: AbortSignal = never,
): Promise<ToolOutcome> {
  return carryOut(await tool.plan(args, host, signal), signal);
}
