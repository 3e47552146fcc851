import { randomUUID } from 'node:crypto';
import type { ApprovalRequest } from '../../../src/protocol/approval';
import type { ClientId, ConversationId } from '../../../src/protocol/ids';
import { messageWord } from '../../../src/protocol/message';
import type { ToolPart } from '../../../src/protocol/part';
import type { LiveConversation } from '../../../src/extension/conversations/liveConversation';
import type { ConversationRegistry } from '../../../src/extension/conversations/registry';

/** The model of the conversations of tests. */
export const MODEL = 'm';

/** Sends a message. Throws when it is refused. */
export async function ask(live: LiveConversation, text: string, model = MODEL): Promise<void> {
  const reply = await live.send(randomUUID() as ClientId, text, model);
  if (!reply.ok) throw new Error(reply.message);
}

/** Resolves when `condition` holds; looks whenever something happens. */
export function until(live: LiveConversation, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (condition()) return resolve();
    const look = (): void => {
      if (!condition()) return;
      stop();
      resolve();
    };
    const stop = live.listen({ event: look, status: look, replaced: look });
  });
}

export function idle(live: LiveConversation): Promise<void> {
  return until(live, () => live.status.run.kind === 'idle');
}

/** Opens a conversation. Throws when it cannot be opened. */
export async function opened(registry: ConversationRegistry, id: ConversationId): Promise<LiveConversation> {
  const result = await registry.open(id);
  if (!result.ok) throw new Error(result.failure.sentence);
  return result.value;
}

/** A line for each message: who, how it ended, and its words. */
export function said(live: LiveConversation): readonly string[] {
  return live.transcript.messages.map((message) => {
    const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    return `${message.role}, ${messageWord(message)}: ${text}`;
  });
}

/** The request that waits for an answer in a conversation, as soon as one does: another one than `answered`. */
export async function waiting(live: LiveConversation, answered?: string): Promise<ApprovalRequest> {
  const find = (): ApprovalRequest | undefined => requests(live).find(({ id }) => id !== answered);
  await until(live, () => find() !== undefined);
  const request = find();
  if (request === undefined) throw new Error('nothing waits for an answer');
  return request;
}

/** All calls of a conversation, oldest first. */
export function calls(live: LiveConversation): readonly ToolPart[] {
  return live.transcript.messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool'));
}

function requests(live: LiveConversation): readonly ApprovalRequest[] {
  return calls(live).flatMap(({ state, approval }) =>
    state === 'awaiting_approval' && approval !== undefined ? [approval] : [],
  );
}
