import { refused, type ToolOutcome } from '../tool';
import type { RunningCommands } from './runningCommands';

/** The answer to a call that names no command that is known. */
export function notFound(id: string, { ids }: RunningCommands): ToolOutcome {
  const known = ids.length === 0 ? 'There is none' : `There is ${ids.join(', ')}`;
  return refused(
    `There is no command with id ${JSON.stringify(id)}. ${known}. Commands end with the window, and only the last ones are kept.`,
    'not found',
  );
}
