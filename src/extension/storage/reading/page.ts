import type { Message } from '../../../protocol/message';
import type { Part } from '../../../protocol/part';
import { PAGE_CHARS, PAGE_IMAGE_BYTES, PAGE_MESSAGES } from '../../base/limits';
import type { SqlRow, Statements } from '../connection';
import { messageFrom, partFrom } from '../rows/decode';
import { placeOf, rowId, rowRange } from '../rows/rowId';

/** A run of messages in order, the newest that were asked for. */
export interface Page {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
}

/** Messages whose sizes are looked at together while a page is filled. */
const SLICE_MESSAGES = 32;

/** Newest first until the page is full by messages, by characters or by images; at least one message. */
export async function readPage(
  statements: Statements,
  conversation: number,
  beforeSeq: number | undefined,
): Promise<Page> {
  const [first, end] = rowRange(conversation);
  let before = beforeSeq === undefined ? end : rowId(conversation, beforeSeq) - 1;
  const kept: SqlRow[] = [];
  let chars = 0;
  let images = 0;
  let hasOlder = false;
  // In slices: the sizes of what does not fit any more are not looked at.
  for (let full = false; !full;) {
    const rows = await statements.all(
      `SELECT m.*, (SELECT coalesce(sum(octet_length(b.data)), 0) FROM part p
                      JOIN blob b ON b.hash = iif(p.type = 'attachment', p.blob, p.image)
                      WHERE p.id BETWEEN m.id AND m.id + 255) AS images,
                   (SELECT coalesce(sum(octet_length(p.data) + iif(p.type = 'attachment', 0, coalesce(octet_length(b.data), 0))), 0)
                      FROM part p LEFT JOIN blob b ON b.hash = p.blob WHERE p.id BETWEEN m.id AND m.id + 255) +
                   (SELECT coalesce(sum(octet_length(d.data)), 0) FROM part_delta d WHERE d.part_id BETWEEN m.id AND m.id + 255) AS chars
         FROM message m WHERE m.id BETWEEN ? AND ? ORDER BY m.id DESC LIMIT ?`,
      [first, before, SLICE_MESSAGES],
    );
    for (const row of rows) {
      chars += Number(row['chars']);
      images += Number(row['images']);
      const tooMuch = chars > PAGE_CHARS || images > PAGE_IMAGE_BYTES;
      full = kept.length > 0 && (tooMuch || kept.length >= PAGE_MESSAGES);
      if (full) break;
      kept.push(row);
      before = Number(row['id']) - 1;
    }
    hasOlder = full;
    full ||= rows.length < SLICE_MESSAGES;
  }
  kept.reverse();
  const [oldest, newest] = [kept[0], kept.at(-1)];
  if (oldest === undefined || newest === undefined) return { messages: [], hasOlder: false };
  const parts = await readParts(statements, rowRange(conversation, seqOf(oldest), seqOf(newest)));
  return { messages: kept.map((row) => messageFrom(row, partsOf(parts, seqOf(row)))), hasOlder };
}

/** A message by its place, with its parts; undefined when there is none. */
export async function readMessage(
  statements: Statements,
  conversation: number,
  seq: number,
): Promise<Message | undefined> {
  const row = await statements.get(`SELECT * FROM message WHERE id = ?`, [rowId(conversation, seq)]);
  if (row === undefined) return undefined;
  return messageFrom(row, partsOf(await readParts(statements, rowRange(conversation, seq, seq)), seq));
}

/** A part with its place, and the number that its next chunk of streamed text will have. */
export interface PlacedPart {
  readonly seq: number;
  readonly idx: number;
  readonly part: Part;
  readonly nextChunk: number;
}

/** The parts whose keys lie in `range`, in order. */
export async function readParts(
  statements: Statements,
  range: readonly [number, number],
): Promise<readonly PlacedPart[]> {
  const parts = await statements.all(
    `SELECT p.*, b.data AS blob_data, i.data AS image_data FROM part p
       LEFT JOIN blob b ON b.hash = p.blob LEFT JOIN blob i ON i.hash = p.image
      WHERE p.id BETWEEN ? AND ? ORDER BY p.id`,
    range,
  );
  const deltas = await statements.all(
    `SELECT * FROM part_delta WHERE part_id BETWEEN ? AND ? ORDER BY part_id, chunk`,
    range,
  );
  const deltasOf = new Map<unknown, SqlRow[]>();
  for (const delta of deltas) {
    const list = deltasOf.get(delta['part_id']) ?? [];
    list.push(delta);
    deltasOf.set(delta['part_id'], list);
  }
  return parts.map((row) => {
    const chunks = deltasOf.get(row['id']) ?? [];
    const nextChunk = Number(chunks.at(-1)?.['chunk'] ?? -1) + 1;
    return { ...placeOf(Number(row['id'])), part: partFrom(row, chunks), nextChunk };
  });
}

function seqOf(message: SqlRow): number {
  return placeOf(Number(message['id'])).seq;
}

function partsOf(parts: readonly PlacedPart[], seq: number): readonly Part[] {
  return parts.filter((placed) => placed.seq === seq).map((placed) => placed.part);
}
