import type { FileState } from '../../base/fileVersion';
import type { Command } from '../change';

/** A command as JSON, for people and later builds: what a file holds is standard base64 in it. */
export function rejectedJson(command: Command): string {
  const { change } = command;
  if (change.type !== 'file_version_set') return JSON.stringify(command);
  const { path, before, after } = change.version;
  return JSON.stringify({
    ...command,
    change: { ...change, version: { path, before: readable(before), after: readable(after) } },
  });
}

function readable(state: FileState | undefined): unknown {
  return state && { base64: Buffer.from(state.bytes).toString('base64'), mode: state.mode };
}
