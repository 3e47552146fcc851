import type { ApprovalRequest } from '../../../protocol/approval';
import type { ConversationId } from '../../../protocol/ids';
import type { ConversationStatus } from '../../../protocol/status';
import type { Transcript } from '../../../protocol/transcript';
import type { LiveListener } from '../liveTranscript';

/** A conversation as far as its waiting calls are concerned. */
export interface WaitingConversation {
  readonly id: ConversationId;
  readonly transcript: Transcript;
  readonly status: Pick<ConversationStatus, 'owner' | 'run'>;
  listen(listener: LiveListener): () => void;
}

/** A call that waits for leave in this window. */
export interface WaitingCall {
  readonly conversationId: ConversationId;
  /** Of the conversation; empty: it has none. */
  readonly title: string;
  readonly request: ApprovalRequest;
}

/**
 * Requests of a conversation that wait for an answer in this window, or in any since nobody runs it. They stand in its
 * last message: nothing goes on beyond it before they are answered.
 */
function waitingCalls({ id, transcript, status }: WaitingConversation): readonly WaitingCall[] {
  if (status.owner === 'elsewhere') return [];
  const parts = transcript.messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) =>
    part.type === 'tool' && part.state === 'awaiting_approval' && part.approval !== undefined
      ? [{ conversationId: id, title: transcript.conversation.title, request: part.approval }]
      : [],
  );
}

/** Keeps what waits in the conversations of this window that are shown or at work. */
export class WaitingCalls {
  readonly #changed: (calls: readonly WaitingCall[], fresh: readonly WaitingCall[]) => void;
  readonly #followed = new Map<WaitingConversation, () => void>();
  /** Requests that were told of: each is new once. */
  readonly #told = new Set<string>();
  #shown: WaitingConversation | undefined;
  #before = '';

  /** `changed` is told of all calls that wait, and of those that did not wait before. */
  constructor(changed: (calls: readonly WaitingCall[], fresh: readonly WaitingCall[]) => void) {
    this.#changed = changed;
  }

  /** The view shows this conversation now. */
  show(conversation: WaitingConversation): void {
    this.#shown = conversation;
    this.follow(conversation);
    this.#look();
  }

  /** Something goes on in the conversation: it is followed until that is over and nothing of it waits. */
  follow(conversation: WaitingConversation): void {
    if (this.#followed.has(conversation)) return;
    const look = (): void => this.#look();
    const event: LiveListener['event'] = ({ type }) => {
      if (type === 'part_set' || type === 'message_added') look();
    };
    this.#followed.set(conversation, conversation.listen({ event, status: look, replaced: look }));
  }

  dispose(): void {
    for (const stop of this.#followed.values()) stop();
    this.#followed.clear();
  }

  #look(): void {
    const calls: WaitingCall[] = [];
    for (const [conversation, stop] of this.#followed) {
      const waiting = waitingCalls(conversation);
      calls.push(...waiting);
      const isOver = waiting.length === 0 && conversation.status.run.kind === 'idle';
      if (!isOver || conversation === this.#shown) continue;
      stop();
      this.#followed.delete(conversation);
    }
    const now = calls.map(({ request }) => request.id).join();
    if (now === this.#before) return;
    this.#before = now;
    const fresh = calls.filter(({ request }) => !this.#told.has(request.id));
    for (const { request } of fresh) this.#told.add(request.id);
    this.#changed(calls, fresh);
  }
}
