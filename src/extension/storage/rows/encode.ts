import { createHash } from 'node:crypto';
import type { Message } from '../../../protocol/message';
import type { AttachmentPart, Part, ToolPart } from '../../../protocol/part';
import { BLOB_BYTES } from '../../base/limits';

/** What of a message stands in its JSON column; the rest has columns of its own. */
export function messageData(
  message: Omit<Message, 'seq' | 'role' | 'status' | 'clientId' | 'createdAt' | 'parts'>,
): string {
  const { origin, reason, detail, usage, notes, model, endedAt } = message;
  return JSON.stringify({ origin, reason, detail, usage, notes, model, endedAt });
}

/** SQL that changes what stands in the JSON column of a message or part by what is bound. A damaged one is begun anew, and kept in it. */
export const PATCHED_DATA = `json_patch(iif(json_valid(data) AND json_type(data) = 'object', data, json_object('damaged', data)), ?)`;

/** Bytes that stand in the table `blob`, named by their SHA-256 in hexadecimal. */
export interface Blob {
  readonly hash: string;
  readonly data: Uint8Array;
}

/**
 * The columns of a part. `blob`: the long result of a call, or the image of an attachment. `image`: the image that a call
 * read. The JSON column leaves out what stands in either.
 */
export interface PartColumns {
  readonly type: string;
  readonly state: string | null;
  readonly data: string;
  readonly blob?: Blob;
  readonly image?: Blob;
}

/** An unknown part goes back as it came. */
export function partColumns(part: Part): PartColumns {
  switch (part.type) {
    case 'unknown':
      return { type: part.originalType, state: null, data: part.json };
    case 'tool':
      return toolColumns(part);
    case 'attachment':
      return attachmentColumns(part);
    case 'text':
    case 'thinking':
    case 'notice': {
      const { type, ...data } = part;
      return { type, state: null, data: JSON.stringify(data) };
    }
  }
}

function toolColumns(part: ToolPart): PartColumns {
  const { type, state, ...data } = part;
  const { result } = part;
  const content = result !== undefined && isLong(result.content) ? result.content : undefined;
  const base64 = result?.image?.data;
  if (result === undefined || (content === undefined && base64 === undefined))
    return { type, state, data: JSON.stringify(data) };
  return {
    type,
    state,
    // JSON leaves out what is undefined.
    data: JSON.stringify({
      ...data,
      result: {
        ...result,
        content: content === undefined ? result.content : undefined,
        image: result.image && { ...result.image, data: undefined },
      },
    }),
    ...(content === undefined ? {} : { blob: blobOf(Buffer.from(content.toWellFormed())) }),
    ...(base64 === undefined ? {} : { image: blobOf(Buffer.from(base64, 'base64')) }),
  };
}

/** A UTF-16 unit takes three bytes at most: most results need not be encoded to know that they are short. */
function isLong(content: string): boolean {
  return content.length * 3 > BLOB_BYTES && Buffer.byteLength(content) > BLOB_BYTES;
}

/** An image stands beside its part however small it is: as bytes, not as the text that it travels as. */
function attachmentColumns(part: AttachmentPart): PartColumns {
  const { type, data: base64, ...named } = part;
  const columns = { type, state: null, data: JSON.stringify(named) };
  return base64 === undefined ? columns : { ...columns, blob: blobOf(Buffer.from(base64, 'base64')) };
}

export function blobOf(data: Uint8Array): Blob {
  return { hash: createHash('sha256').update(data).digest('hex'), data };
}
