import type { Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';

/** What of a message stands in its JSON column; the rest has columns of its own. */
export function messageData(
  message: Omit<Message, 'seq' | 'role' | 'status' | 'clientId' | 'createdAt' | 'parts'>,
): string {
  const { reason, detail, usage, model, endedAt } = message;
  return JSON.stringify({ reason, detail, usage, model, endedAt });
}

/** Type, state and JSON column of a part. An unknown part goes back as it came. */
export function partColumns(part: Part): {
  readonly type: string;
  readonly state: string | null;
  readonly data: string;
} {
  switch (part.type) {
    case 'unknown':
      return { type: part.originalType, state: null, data: part.json };
    case 'tool': {
      const { type, state, ...data } = part;
      return { type, state, data: JSON.stringify(data) };
    }
    case 'text':
    case 'thinking': {
      const { type, ...data } = part;
      return { type, state: null, data: JSON.stringify(data) };
    }
  }
}
