import type { Part } from '../../../protocol/part';
import { WRITE_BATCH_CHARS } from '../../base/limits';
import type { Command } from '../change';

/** What a command is taken to carry beside its texts: keys, states and times. */
const REST = 1_000;

/** Characters that a command carries, roughly: so that one transaction does not hold the file for long. */
export function sizeOf({ change }: Pick<Command, 'change'>): number {
  switch (change.type) {
    case 'delta':
      return change.text.length;
    case 'part_set':
      return REST + sizeOfPart(change.part);
    case 'message_added':
      return REST + change.message.parts.reduce((sum, part) => sum + sizeOfPart(part), 0);
    case 'message_queued':
    case 'draft_set':
      return REST + change.text.length;
    case 'file_version_set':
      return REST + (change.version.before?.bytes.length ?? 0) + (change.version.after?.bytes.length ?? 0);
    case 'conversation_created':
    case 'conversation_forked':
    case 'conversation_changed':
    case 'run_started':
    case 'run_ended':
    case 'run_suspended':
    case 'file_version_changed':
    case 'mode_set':
    case 'permission_granted':
    case 'message_ended':
    case 'message_unqueued':
    case 'message_moved':
    case 'sub_agent_created':
    case 'sub_agent_changed':
      return REST;
  }
}

function sizeOfPart(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'notice':
      return part.text.length;
    case 'attachment':
      return part.data?.length ?? 0;
    case 'tool': {
      const { arguments: given, approval, change, output, result } = part;
      const written = jsonLength([given, approval, change]) + (output?.text.length ?? 0);
      return written + (result?.content.length ?? 0) + (result?.image?.data?.length ?? 0);
    }
    case 'unknown':
      return part.json.length;
  }
}

/** What is nested too deep for JSON fills a transaction of its own: it is refused there, and holds up nothing else. */
function jsonLength(value: readonly unknown[]): number {
  try {
    return JSON.stringify(value).length;
  } catch {
    return WRITE_BATCH_CHARS;
  }
}
