import { computed, type ReadonlySignal } from '@preact/signals';
import type { RequestType } from 'vscode-messenger-common';
import type { LiveView } from '../../protocol/hydration';
import type { ClientId } from '../../protocol/ids';
import { sendQueuedRequest, unqueueRequest, type QueuedParams, type Reply } from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import type { PendingSend } from './sends';

/** A message of the person that waits, as a row. */
export interface QueueRow {
  readonly clientId: ClientId;
  readonly text: string;
  /** When it left the page (epoch milliseconds), as long as the host has not confirmed it. */
  readonly sentAt?: number;
}

const NONE: readonly QueueRow[] = [];

/** What waits to be sent in the conversation shown: as the host has it, then what is on its way there. */
export class MessageQueue {
  readonly rows: ReadonlySignal<readonly QueueRow[]>;
  readonly #host: HostPort;
  readonly #live: ReadonlySignal<LiveView | undefined>;
  readonly #asked = new Set<ClientId>();

  constructor(
    host: HostPort,
    live: ReadonlySignal<LiveView | undefined>,
    pending: ReadonlySignal<readonly PendingSend[]>,
  ) {
    this.#host = host;
    this.#live = live;
    this.rows = computed(() => {
      const waiting = [...(live.value?.status.queue ?? []), ...pending.value.filter((send) => send.queued)];
      if (waiting.length === 0) return NONE;
      // Transcript and status come in frames of their own: what has become a message waits no longer.
      const sent = new Set(live.value?.transcript.messages.map((message) => message.clientId));
      return waiting.filter((row) => !sent.has(row.clientId));
    });
  }

  /** Undefined when something is being done with this message already. */
  remove(clientId: ClientId): Promise<Reply | undefined> {
    return this.#ask(unqueueRequest, clientId);
  }

  /** Undefined when something is being done with this message already. */
  sendNow(clientId: ClientId): Promise<Reply | undefined> {
    return this.#ask(sendQueuedRequest, clientId);
  }

  /** A second press must not be told that there is nothing any more: that is what the first one wanted. */
  async #ask(type: RequestType<QueuedParams, Reply>, clientId: ClientId): Promise<Reply | undefined> {
    const conversationId = this.#live.value?.transcript.conversation.id;
    if (conversationId === undefined || this.#asked.has(clientId)) return undefined;
    this.#asked.add(clientId);
    const reply = await this.#host.ask(type, { conversationId, clientId });
    this.#asked.delete(clientId);
    return reply;
  }
}
