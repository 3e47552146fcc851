import { createHash } from 'node:crypto';
import type { Message } from '../../protocol/message';
import type { AttachmentPart, Part, ToolPart } from '../../protocol/part';
import { BLOB_BYTES } from '../base/limits';

/** What of a message stands in its JSON column; the rest has columns of its own. */
export function messageData(
  message: Omit<Message, 'seq' | 'role' | 'status' | 'clientId' | 'createdAt' | 'parts'>,
): string {
  const { origin, reason, detail, usage, notes, model, endedAt } = message;
  return JSON.stringify({ origin, reason, detail, usage, notes, model, endedAt });
}

/** SQL that changes what stands in a message's JSON column by what is bound. A damaged one is begun anew. */
export const PATCHED_DATA = `json_patch(CASE WHEN json_valid(data) THEN data ELSE '{}' END, ?)`;

/** Bytes that stand in the table `blob`, named by their SHA-256 in hexadecimal. */
export interface Blob {
  readonly hash: string;
  readonly data: Uint8Array;
}

/** The columns of a part. `blob`: its long result or its image, which the JSON column then leaves out. */
export interface PartColumns {
  readonly type: string;
  readonly state: string | null;
  readonly data: string;
  readonly blob?: Blob;
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
  const content = data.result?.content;
  // A UTF-16 unit takes three bytes at most: most results need not be encoded to know that they are short.
  if (content === undefined || content.length * 3 <= BLOB_BYTES || Buffer.byteLength(content) <= BLOB_BYTES)
    return { type, state, data: JSON.stringify(data) };
  const bytes = Buffer.from(content.toWellFormed());
  const { content: _, ...rest } = data.result ?? {};
  return { type, state, data: JSON.stringify({ ...data, result: rest }), blob: blobOf(bytes) };
}

/** An image stands beside its part however small it is: as bytes, not as the text that it travels as. */
function attachmentColumns(part: AttachmentPart): PartColumns {
  const { type, data: base64, ...named } = part;
  const columns = { type, state: null, data: JSON.stringify(named) };
  return base64 === undefined ? columns : { ...columns, blob: blobOf(Buffer.from(base64, 'base64')) };
}

function blobOf(data: Uint8Array): Blob {
  return { hash: createHash('sha256').update(data).digest('hex'), data };
}
