import type { Acked, AckedPart, Print } from './lines';
import { isPrintOf } from './print';
import { versionKey, type StoredConversation, type StoredMessage, type StoredPart } from './stored';

/** What a call may become after it was seen in a state: later writes and recovery go only forwards. */
const MAY_BECOME: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending', 'awaiting_approval', 'running', 'done', 'error', 'denied', 'expired', 'interrupted'],
  awaiting_approval: ['awaiting_approval', 'running', 'done', 'error', 'denied', 'expired', 'interrupted'],
  running: ['running', 'done', 'error', 'interrupted'],
};

/**
 * `unqueued`: messages that somebody asked to take out of the queue again, acknowledged or not.
 *
 * What of an acknowledged change is not in the file, in words, or nothing. Whatever legitimately comes later (the rest of
 * an answer, recovery, a window that takes over) adds to it and never takes away, so each change is judged by itself.
 */
export function missing(
  acked: Acked,
  stored: StoredConversation | undefined,
  unqueued: ReadonlySet<string> = new Set(),
): string | undefined {
  if (acked.type === 'message_unqueued') return undefined; // Told when it was asked for: it promises nothing.
  if (stored === undefined) return 'the conversation is not in the file';
  switch (acked.type) {
    case 'conversation_created':
      return acked.workspace === stored.workspace
        ? undefined
        : `it belongs to ${stored.workspace}, not ${acked.workspace}`;
    case 'conversation_forked':
      if (acked.workspace !== stored.workspace) return `it belongs to ${stored.workspace}, not ${acked.workspace}`;
      return stored.messages.size >= (acked.seq ?? 0) ? undefined : `it was forked with ${acked.seq} messages`;
    case 'conversation_changed':
      return (acked.title ?? '') === '' || stored.title !== '' ? undefined : 'it has no title';
    case 'run_started':
      return stored.runs.has(acked.fence ?? 0) ? undefined : `there is no run ${acked.fence}`;
    case 'run_ended':
    case 'run_suspended': {
      // Whichever was said: it is suspended as long as its calls wait. Whether they do is looked at in the whole file.
      const state = stored.runs.get(acked.fence ?? 0);
      return state === 'ended' || state === 'suspended' ? undefined : `run ${acked.fence} was not let go`;
    }
    case 'message_queued': {
      const id = acked.clientId ?? '';
      const sent = [...stored.messages.values()].some(({ clientId }) => clientId === id);
      return sent || stored.queued.has(id) || unqueued.has(id) ? undefined : `message ${id} is neither queued nor sent`;
    }
    case 'permission_granted':
      return stored.rules.has(acked.rule ?? '') ? undefined : `${acked.rule} is not allowed`;
    case 'file_version_set': {
      const version = stored.versions.get(versionKey(acked.seq ?? 0, acked.idx ?? 0, acked.path ?? ''));
      if (version === undefined) return `there is no version of ${acked.path}`;
      // A call that waited is planned anew: what it would do gives way to what it would do by then.
      if (acked.version === 'proposed') return undefined;
      const same = version.before === acked.before && version.after === acked.after;
      return same ? undefined : `the version of ${acked.path} holds other bytes`;
    }
    case 'message_added':
    case 'message_ended':
    case 'part_set':
    case 'delta': {
      const message = stored.messages.get(acked.seq ?? 0);
      return message === undefined ? `there is no message ${acked.seq}` : missingInMessage(acked, message);
    }
    default:
      return undefined; // A kind of change that this torture does not know.
  }
}

function missingInMessage(acked: Acked, message: StoredMessage): string | undefined {
  const { seq, idx = 0 } = acked;
  if (acked.type === 'message_ended') {
    const was = `${acked.status} (${acked.reason ?? 'no reason'})`;
    const is = `${message.status} (${message.reason ?? 'no reason'})`;
    return was === is ? undefined : `message ${seq} is ${is}, not ${was}`;
  }
  if (acked.type === 'delta') {
    const text = message.parts.get(idx)?.text;
    return holds(text, acked.at ?? 0, acked.text)
      ? undefined
      : `part ${idx} of message ${seq} (${text?.length ?? 'no'} characters) lacks ${shown(acked.text)} at ${acked.at}`;
  }
  if (acked.type === 'message_added') {
    if (message.role !== acked.role) return `message ${seq} is of the ${message.role}, not of the ${acked.role}`;
    if (message.clientId !== acked.clientId) return `message ${seq} is another one: ${message.clientId}`;
    if (acked.status !== 'streaming' && message.status !== acked.status)
      return `message ${seq} is ${message.status}, not ${acked.status}`;
  }
  for (const [offset, part] of (acked.parts ?? []).entries()) {
    const why = missingInPart(part, message.parts.get(idx + offset));
    if (why !== undefined) return `part ${idx + offset} of message ${seq}: ${why}`;
  }
  return undefined;
}

function missingInPart(acked: AckedPart, stored: StoredPart | undefined): string | undefined {
  if (stored === undefined) return 'it is not there';
  if (stored.type !== acked.type) return `it is ${stored.type}, not ${acked.type}`;
  if (acked.text !== undefined && !holds(stored.text, 0, acked.text)) return `it lacks ${shown(acked.text)}`;
  if (acked.type !== 'tool') return undefined;
  const { name, result } = stored.data;
  if (name !== acked.name) return `it calls ${String(name)}, not ${acked.name}`;
  // Leave is asked anew when it turns out that the file does not have it, which may be written later all the same; and once
  // more by a window that goes on with that. What is done meanwhile is looked at in the book of calls.
  const approval = Object(stored.data['approval']) as Readonly<Record<string, unknown>>;
  const isUnsaved = Array.isArray(approval['reasons']) && approval['reasons'].includes('unsaved');
  const askedAnew = isUnsaved || (acked.request !== undefined && approval['id'] !== acked.request);
  const was = askedAnew && acked.state === 'running' ? 'awaiting_approval' : acked.state;
  const allowed: readonly string[] = MAY_BECOME[was ?? ''] ?? [was ?? ''];
  if (!allowed.includes(stored.state ?? '')) return `it is ${stored.state} after it was ${acked.state}`;
  if (acked.arguments !== undefined && !isPrintOf(acked.arguments, JSON.stringify(stored.data['arguments'])))
    return `its arguments are not ${shown(acked.arguments)}`;
  const answer = Object(stored.data['answer']) as Readonly<Record<string, unknown>>;
  if (acked.answer !== undefined && !askedAnew && answer['kind'] !== acked.answer)
    return `the answer “${acked.answer}” to request ${acked.request} is not there`;
  const content = typeof result === 'object' && result !== null && 'content' in result ? result.content : undefined;
  if (acked.result !== undefined && !isPrintOf(acked.result, typeof content === 'string' ? content : undefined))
    return `its result is not ${shown(acked.result)}`;
  return undefined;
}

function holds(text: string | undefined, at: number, print: Print | undefined): boolean {
  return print !== undefined && text !== undefined && isPrintOf(print, text.slice(at, at + print.length));
}

function shown(print: Print | undefined): string {
  return print === undefined ? 'a text' : `${print.length} characters ${JSON.stringify(print.start)}…`;
}
