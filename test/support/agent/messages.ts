import type { Message } from '../../../src/protocol/message';

/** A message of the person. */
export function question(seq: number, text: string): Message {
  return { seq, role: 'user', status: 'done', createdAt: seq, parts: [{ type: 'text', text }] };
}

/** An answer in words. */
export function answered(seq: number, text: string): Message {
  return { seq, role: 'assistant', status: 'done', model: 'm', createdAt: seq, parts: [{ type: 'text', text }] };
}

/** An answer that made one call, with what came of it. */
export function calling(seq: number, content: string): Message {
  return {
    ...answered(seq, ''),
    parts: [{ type: 'tool', name: 'read_file', arguments: { path: 'a.ts' }, state: 'done', result: { content } }],
  };
}

/** A summary of all messages up to and with `covers`. */
export function compacted(seq: number, covers: number, text: string): Message {
  return {
    seq,
    role: 'user',
    origin: 'host',
    status: 'done',
    createdAt: seq,
    parts: [{ type: 'notice', kind: 'compaction', text, covers }],
  };
}
