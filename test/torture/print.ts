import { createHash } from 'node:crypto';
import type { Part } from '../../src/protocol/part';
import type { Command } from '../../src/extension/storage/change';
import type { Acked, AckedPart, Print } from './lines';

const START_CHARS = 24;

function printOf(text: string): Print {
  // UTF-16 as it stands: UTF-8 would make all lone surrogates equal.
  const hash = createHash('sha1').update(Buffer.from(text, 'utf16le')).digest('base64').slice(0, 12);
  return { length: text.length, hash, start: text.slice(0, START_CHARS).toWellFormed() };
}

/** In hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether `text` is the one that `print` stands for. */
export function isPrintOf(print: Print, text: string | undefined): boolean {
  return text !== undefined && text.length === print.length && printOf(text).hash === print.hash;
}

/** Kinds of change that this build of the torture does not know are told by their type alone. */
export function ackOf({ conversationId, fence, change }: Command): Acked {
  const base = { conversation: conversationId, type: change.type, ...(fence === undefined ? {} : { fence }) };
  if (change.type === 'conversation_created')
    return { ...base, workspace: change.workspace.key, title: change.conversation.title };
  if (change.type === 'conversation_forked')
    return { ...base, workspace: change.workspace.key, seq: change.throughSeq };
  if (change.type === 'message_queued' || change.type === 'message_unqueued')
    return { ...base, clientId: change.clientId };
  if (change.type === 'run_started') return { ...base, fence: change.fence };
  if (change.type === 'delta') {
    const { seq, idx, at, text } = change;
    return { ...base, seq, idx, at, text: printOf(text) };
  }
  if (change.type === 'message_added') {
    const { seq, role, status, clientId, parts } = change.message;
    return { ...base, seq, role, status, parts: parts.map(partOf), ...(clientId === undefined ? {} : { clientId }) };
  }
  if (change.type === 'message_ended') {
    const { status, reason } = change.end;
    return { ...base, seq: change.seq, status, ...(reason === undefined ? {} : { reason }) };
  }
  if (change.type === 'part_set') return { ...base, seq: change.seq, idx: change.idx, parts: [partOf(change.part)] };
  if (change.type === 'permission_granted') return { ...base, rule: JSON.stringify(change.rule) };
  if (change.type === 'file_version_set') {
    const { path, before, after } = change.version;
    return {
      ...base,
      seq: change.seq,
      idx: change.idx,
      path,
      version: change.state,
      ...(before === undefined ? {} : { before: sha256(before.bytes) }),
      ...(after === undefined ? {} : { after: sha256(after.bytes) }),
    };
  }
  if (change.type === 'conversation_changed' && change.title !== undefined) return { ...base, title: change.title };
  return base;
}

function partOf(part: Part): AckedPart {
  if (part.type === 'text' || part.type === 'thinking') return { type: part.type, text: printOf(part.text) };
  if (part.type !== 'tool') return { type: part.type };
  return {
    type: part.type,
    name: part.name,
    state: part.state,
    arguments: printOf(JSON.stringify(part.arguments)),
    ...(typeof part.arguments['mark'] === 'string' ? { mark: part.arguments['mark'] } : {}),
    ...(part.approval === undefined ? {} : { request: part.approval.id }),
    ...(part.answer === undefined ? {} : { answer: part.answer.kind }),
    ...(part.result === undefined ? {} : { result: printOf(part.result.content) }),
  };
}
