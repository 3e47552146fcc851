import type { SnapshotFrame } from '../../protocol/frame';
import type { ConversationId, HelloId, StreamId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import type { Part, ToolPart } from '../../protocol/part';
import type { ConversationStatus, WindowFacts } from '../../protocol/status';
import type { Transcript } from '../../protocol/transcript';

/** Builders of what a host would send. Each takes what matters and fills in the rest. */

export const CONVERSATION = '01JZZZZZZZZZZZZZZZZZZZZZZZ' as ConversationId;
export const STREAM = 'stream-1' as StreamId;
/** 14:02 of some day, wherever the tests run. */
export const AT_14_02 = new Date(2026, 10, 30, 14, 2).getTime();

export function userMessage(seq: number, text: string, more: Partial<Message> = {}): Message {
  return { seq, role: 'user', status: 'done', createdAt: AT_14_02, parts: [{ type: 'text', text }], ...more };
}

export function answer(seq: number, parts: readonly Part[], more: Partial<Message> = {}): Message {
  const at = { createdAt: AT_14_02 + 60_000, endedAt: AT_14_02 + 68_000 };
  return { seq, role: 'assistant', status: 'done', model: 'qwen3:14b', ...at, parts, ...more };
}

export function text(words: string): Part {
  return { type: 'text', text: words };
}

export function toolPart(name: string, args: ToolPart['arguments'], more: Partial<ToolPart> = {}): ToolPart {
  return { type: 'tool', name, arguments: args, state: 'done', ...more };
}

export function facts(more: Partial<WindowFacts> = {}): WindowFacts {
  return {
    version: 1,
    folder: 'harbor-queue',
    model: 'qwen3:14b',
    server: {
      kind: 'up',
      host: '127.0.0.1:11434',
      version: '0.14.2',
      models: [
        { name: 'qwen3:14b', size: 9_300_000_000, parameterSize: '14.8B' },
        { name: 'llama3.2:3b', size: 2_000_000_000, parameterSize: '3.2B' },
        { name: 'gpt-oss:120b-cloud', remoteHost: 'ollama.com' },
      ],
    },
    ...more,
  };
}

export function status(more: Partial<ConversationStatus> = {}): ConversationStatus {
  return { version: 1, save: { kind: 'saved' }, run: { kind: 'idle' }, owner: 'none', mode: 'ask', queue: [], ...more };
}

function transcript(messages: readonly Message[], more: Partial<Transcript> = {}): Transcript {
  return {
    conversation: { id: CONVERSATION, kind: 'chat', title: 'Flaky retry test', createdAt: AT_14_02 },
    messages,
    hasOlder: false,
    ...more,
  };
}

export function snapshot(
  hello: HelloId,
  messages: readonly Message[],
  more: Partial<SnapshotFrame> = {},
): SnapshotFrame {
  return {
    kind: 'snapshot',
    hello,
    stream: STREAM,
    n: 0,
    transcript: transcript(messages),
    status: status(),
    facts: facts(),
    ...more,
  };
}
