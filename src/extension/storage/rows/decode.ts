import type { ClientId } from '../../../protocol/ids';
import type { EndReason, Message, MessageNote, MessageStatus, Usage } from '../../../protocol/message';
import type { JsonObject, Part, ToolImage, ToolOutput, ToolPart, ToolResult, ToolState } from '../../../protocol/part';
import { tamedJson } from '../../base/tameJson';
import type { StoredMode } from '../change';
import type { SqlRow } from '../connection';
import { answerFrom, approvalFrom, changeFrom } from './decodeApproval';
import { placeOf } from './rowId';

/**
 * Rows are untrusted: a column that does not hold what it should costs its part or its field, never the message, and is
 * kept as it stands in an `unknown` part.
 */

const STATUSES: ReadonlySet<string> = new Set(['streaming', 'done', 'aborted', 'error']);
const TOOL_STATES: ReadonlySet<string> = new Set([
  'pending',
  'awaiting_approval',
  'running',
  'done',
  'error',
  'denied',
  'expired',
  'interrupted',
]);

/** What was damaged asks. */
export function modeFrom(value: unknown): StoredMode {
  return value === 'auto_edit' ? 'auto_edit' : 'ask';
}

/** A message of its row and its parts, in order. */
export function messageFrom(row: SqlRow, parts: readonly Part[]): Message {
  const data = objectFrom(row['data']) ?? {};
  const status = text(row['status']);
  const clientId = text(row['client_id']);
  return {
    // Its key is where it stands, whatever its other columns say.
    seq: placeOf(Number(row['id'])).seq,
    role: row['role'] === 'user' ? 'user' : 'assistant',
    status: status !== undefined && STATUSES.has(status) ? (status as MessageStatus) : 'error',
    createdAt: number(row['created_at']) ?? 0,
    parts,
    ...present('clientId', clientId as ClientId | undefined),
    ...present('origin', data['origin'] === 'host' ? ('host' as const) : undefined),
    ...present('notes', notesFrom(data['notes'])),
    ...present('reason', text(data['reason']) as EndReason | undefined),
    ...present('detail', text(data['detail'])),
    ...present('usage', isObject(data['usage']) ? (data['usage'] as Usage) : undefined),
    ...present('model', text(data['model'])),
    ...present('endedAt', number(data['endedAt'])),
  };
}

/**
 * A part of its row, with its streamed chunks put in place. Columns beside those of the table: `blob_data` (the long result
 * of a call, the image of an attachment) and `image_data` (the image that a call read).
 */
export function partFrom(row: SqlRow, deltas: readonly SqlRow[]): Part {
  const type = text(row['type']) ?? 'unknown';
  const data = objectFrom(row['data']);
  return (
    (data === undefined ? undefined : knownPart(type, row, data, deltas)) ?? {
      type: 'unknown',
      originalType: type,
      json: text(row['data']) ?? '',
    }
  );
}

function knownPart(type: string, row: SqlRow, data: JsonObject, deltas: readonly SqlRow[]): Part | undefined {
  if (type === 'text' || type === 'thinking') {
    const stored = text(data['text']);
    if (stored === undefined) return undefined;
    const whole = withDeltas(stored, deltas);
    if (type === 'text') return { type, text: whole };
    return {
      type,
      text: whole,
      startedAt: number(data['startedAt']) ?? 0,
      ...present('endedAt', number(data['endedAt'])),
    };
  }
  if (type === 'tool') return toolPart(row, data);
  if (type === 'attachment') {
    const [name, mediaType, bytes] = [text(data['name']), text(data['mediaType']), number(data['bytes'])];
    if (name === undefined || mediaType === undefined || bytes === undefined || data['kind'] !== 'image')
      return undefined;
    return { type, kind: 'image', name, mediaType, bytes, ...present('data', blobBase64(row['blob_data'])) };
  }
  if (type === 'notice') {
    const [words, covers] = [text(data['text']), number(data['covers'])];
    if (words === undefined || covers === undefined || data['kind'] !== 'compaction') return undefined;
    return { type, kind: 'compaction', text: words, covers };
  }
  return undefined;
}

function toolPart(row: SqlRow, data: JsonObject): ToolPart | undefined {
  const name = text(data['name']);
  const state = text(row['state']);
  if (name === undefined || state === undefined || !TOOL_STATES.has(state)) return undefined;
  const approval = approvalFrom(data['approval']);
  return {
    type: 'tool',
    name,
    // What nobody can be asked for any more never runs.
    state: state === 'awaiting_approval' && approval === undefined ? 'expired' : (state as ToolState),
    arguments: isObject(data['arguments']) ? data['arguments'] : {},
    ...present('callId', text(data['callId'])),
    ...present('effects', data['effects'] === true ? (true as const) : undefined),
    ...present('approval', approval),
    ...present('answer', answerFrom(data['answer'])),
    ...present('change', changeFrom(data['change'])),
    ...present('output', toolOutput(data['output'])),
    ...present('result', toolResult(data['result'], row)),
    ...present('startedAt', number(data['startedAt'])),
    ...present('endedAt', number(data['endedAt'])),
  };
}

function toolOutput(value: unknown): ToolOutput | undefined {
  if (!isObject(value)) return undefined;
  const [words, bytes] = [text(value['text']), number(value['bytes'])];
  return words === undefined || bytes === undefined ? undefined : { text: words, bytes };
}

const NOTES: ReadonlySet<unknown> = new Set<MessageNote>(['without_tools', 'without_thinking', 'prompt_cut']);

function notesFrom(value: unknown): readonly MessageNote[] | undefined {
  const notes = Array.isArray(value) ? value.filter((note): note is MessageNote => NOTES.has(note)) : [];
  return notes.length === 0 ? undefined : notes;
}

const MISSING_RESULT = '(This result is missing from the history file.)';

function toolResult(value: unknown, row: SqlRow): ToolResult | undefined {
  if (!isObject(value)) return undefined;
  const content = typeof row['blob'] === 'string' ? blobText(row['blob_data']) : text(value['content']);
  if (content === undefined) return undefined;
  return {
    content,
    ...present('summary', text(value['summary'])),
    ...present('exitCode', number(value['exitCode'])),
    ...present('image', toolImage(value['image'], row)),
  };
}

function toolImage(value: unknown, row: SqlRow): ToolImage | undefined {
  if (!isObject(value)) return undefined;
  const [mediaType, bytes] = [text(value['mediaType']), number(value['bytes'])];
  if (mediaType === undefined || bytes === undefined) return undefined;
  return { mediaType, bytes, ...present('data', blobBase64(row['image_data'])) };
}

function blobText(data: unknown): string {
  return data instanceof Uint8Array ? Buffer.from(data).toString('utf8') : MISSING_RESULT;
}

function blobBase64(data: unknown): string | undefined {
  return data instanceof Uint8Array
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64')
    : undefined;
}

/** Chunks in order of their number; what overlaps is cut, and nothing is put after a gap. */
function withDeltas(stored: string, deltas: readonly SqlRow[]): string {
  let whole = stored;
  for (const delta of deltas) {
    const at = number(delta['at']);
    const data = text(delta['data']);
    if (at === undefined || data === undefined || at > whole.length) break;
    whole += data.slice(whole.length - at);
  }
  // A chunk border may have cut a surrogate pair whose second half was never written.
  return whole.toWellFormed();
}

/** SQLite's own text is UTF-8: half of a surrogate pair can stand in it as an escape only. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

function objectFrom(value: unknown): JsonObject | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    // Older histories hold texts that were cut inside a character; no server takes these.
    const repaired = SURROGATE_ESCAPE.test(value) ? tamedJson(parsed) : parsed;
    return isObject(repaired) ? repaired : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** An object with the key, or without it: `exactOptionalPropertyTypes` tells the two apart. */
function present<Key extends string, T>(key: Key, value: T | undefined): { readonly [K in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: T });
}
