import type { Conversation } from '../../../protocol/conversation';
import type { ConversationId } from '../../../protocol/ids';
import type { Message } from '../../../protocol/message';
import type { Part } from '../../../protocol/part';
import type { StoredMode } from '../change';
import type { Statements } from '../connection';
import { messageFrom, modeFrom } from '../rows/decode';
import { readMessage, readParts } from './page';
import { placeOf, rowId, rowRange } from '../rows/rowId';

/** Where streamed text was read up to. */
export interface ChunkCursor {
  readonly seq: number;
  readonly idx: number;
  /** Number of the next chunk that is not known yet. */
  readonly chunk: number;
}

/** What somebody who follows a conversation knows changed. */
export interface UpdateRequest {
  /** Messages that are not known yet, or whose own row changed. */
  readonly messages: readonly { readonly seq: number; readonly known: boolean }[];
  /** Parts of known messages that changed. */
  readonly parts: readonly { readonly seq: number; readonly idx: number }[];
  /** Where streamed text goes on, if any streams. */
  readonly growing?: ChunkCursor;
}

/** All of it as of one moment. A message that was not known comes with all of its parts; a known one with none. */
export interface Update {
  readonly conversation: Pick<Conversation, 'title' | 'model'>;
  readonly mode: StoredMode;
  readonly messages: readonly Message[];
  readonly parts: readonly { readonly seq: number; readonly idx: number; readonly part: Part }[];
  readonly chunks: readonly { readonly at: number; readonly text: string }[];
  /** Where streamed text goes on after this; undefined while nothing streams. */
  readonly growing?: ChunkCursor;
}

/** Reads within one transaction. Undefined when the file does not hold the conversation. */
export async function readUpdate(
  statements: Statements,
  id: ConversationId,
  request: UpdateRequest,
): Promise<Update | undefined> {
  const row = await statements.get(`SELECT id, title, model, mode FROM conversation WHERE ulid = ?`, [id]);
  if (row === undefined) return undefined;
  const key = Number(row['id']);
  const messages: Message[] = [];
  for (const { seq, known } of request.messages) {
    const message = known ? await readHead(statements, key, seq) : await readMessage(statements, key, seq);
    if (message !== undefined) messages.push(message);
  }
  const parts: { seq: number; idx: number; part: Part }[] = [];
  for (const { seq, idx } of request.parts) {
    const at = rowId(key, seq, idx);
    const [placed] = await readParts(statements, [at, at]);
    if (placed !== undefined) parts.push({ seq, idx, part: placed.part });
  }
  const touched = request.growing !== undefined && parts.some((part) => isAt(part, request.growing));
  const chunks = request.growing === undefined || touched ? [] : await readChunks(statements, key, request.growing);
  const growing = await findGrowing(statements, key);
  return {
    conversation: { title: String(row['title']), ...(typeof row['model'] === 'string' ? { model: row['model'] } : {}) },
    mode: modeFrom(row['mode']),
    messages,
    parts,
    chunks,
    ...(growing === undefined ? {} : { growing }),
  };
}

/** Where streamed text goes on: the last part of the message that is being written. */
export async function findGrowing(statements: Statements, conversation: number): Promise<ChunkCursor | undefined> {
  const row = await statements.get(
    `SELECT id FROM message WHERE conversation = ? AND status = 'streaming' ORDER BY id DESC LIMIT 1`,
    [conversation],
  );
  if (row === undefined) return undefined;
  const { seq } = placeOf(Number(row['id']));
  const [first, last] = rowRange(conversation, seq, seq);
  const part = await statements.get(`SELECT max(id) AS id FROM part WHERE id BETWEEN ? AND ?`, [first, last]);
  if (typeof part?.['id'] !== 'number') return undefined;
  const next = await statements.get(`SELECT coalesce(max(chunk) + 1, 0) AS chunk FROM part_delta WHERE part_id = ?`, [
    part['id'],
  ]);
  return { seq, idx: part['id'] - first, chunk: Number(next?.['chunk']) };
}

async function readHead(statements: Statements, conversation: number, seq: number): Promise<Message | undefined> {
  const row = await statements.get(`SELECT * FROM message WHERE id = ?`, [rowId(conversation, seq)]);
  return row === undefined ? undefined : messageFrom(row, []);
}

async function readChunks(
  statements: Statements,
  conversation: number,
  { seq, idx, chunk }: ChunkCursor,
): Promise<Update['chunks']> {
  const rows = await statements.all(`SELECT at, data FROM part_delta WHERE part_id = ? AND chunk >= ? ORDER BY chunk`, [
    rowId(conversation, seq, idx),
    chunk,
  ]);
  return rows.map((row) => ({ at: Number(row['at']), text: String(row['data']) }));
}

function isAt(place: { seq: number; idx: number }, other: { seq: number; idx: number } | undefined): boolean {
  return place.seq === other?.seq && place.idx === other.idx;
}
