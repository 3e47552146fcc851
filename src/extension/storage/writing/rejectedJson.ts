import type { FileState } from '../../base/fileVersion';
import type { Command } from '../change';

/**
 * A command as JSON, for people and later builds: what a file holds is standard base64 in it. Of one that cannot be said
 * in JSON, only what it was.
 */
export function rejectedJson(command: Command): string {
  try {
    return JSON.stringify(readable(command));
  } catch {
    const { change, ...rest } = command;
    return JSON.stringify({ ...rest, change: { type: change.type } });
  }
}

function readable(command: Command): unknown {
  const { change } = command;
  if (change.type !== 'file_version_set') return command;
  const { path, before, after } = change.version;
  return { ...command, change: { ...change, version: { path, before: inBase64(before), after: inBase64(after) } } };
}

function inBase64(state: FileState | undefined): unknown {
  return state && { base64: Buffer.from(state.bytes).toString('base64'), mode: state.mode };
}
