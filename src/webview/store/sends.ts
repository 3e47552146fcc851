import { signal, type ReadonlySignal } from '@preact/signals';
import type { ClientId, ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import { sendRequest, type Reply } from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';

/** An own message that is shown before the host has confirmed it. */
export interface PendingSend {
  readonly conversationId: ConversationId;
  readonly clientId: ClientId;
  readonly text: string;
  /** Epoch milliseconds, for display only. */
  readonly sentAt: number;
}

/** Own messages on their way: each is shown until the message with its `clientId` arrives, or it is refused. */
export class Sends {
  readonly #host: HostPort;
  readonly #pending = signal<readonly PendingSend[]>([]);
  /** A text that came back keeps its id, so that sending it again cannot double a message that did get through. */
  #refused: PendingSend | undefined;

  constructor(host: HostPort) {
    this.#host = host;
  }

  get pending(): ReadonlySignal<readonly PendingSend[]> {
    return this.#pending;
  }

  /** Sends, and answers what the host answered. On `ok: false` the message is shown no longer. */
  async send(conversationId: ConversationId, text: string): Promise<Reply> {
    const again = this.#refused?.text === text && this.#refused.conversationId === conversationId;
    const clientId = again && this.#refused !== undefined ? this.#refused.clientId : newClientId();
    const send: PendingSend = { conversationId, clientId, text, sentAt: Date.now() };
    this.#pending.value = [...this.#pending.value, send];
    const reply = await this.#host.ask(sendRequest, { conversationId, clientId, text });
    if (!reply.ok && this.#isPending(clientId)) {
      this.#refused = send;
      this.#drop(new Set([clientId]));
      return reply;
    }
    // The event has told that it did arrive: only the answer to the request was lost.
    return { ok: true };
  }

  /** The message itself has come: the copy goes. */
  settle(conversationId: ConversationId, messages: readonly Message[]): void {
    const waiting = this.#pending.value.filter((send) => send.conversationId === conversationId);
    if (waiting.length === 0) return;
    const ids = new Set(waiting.map((send) => send.clientId));
    const arrived = new Set<ClientId>();
    for (const message of messages) {
      if (message.clientId !== undefined && ids.has(message.clientId)) arrived.add(message.clientId);
    }
    if (arrived.size > 0) this.#drop(arrived);
  }

  #isPending(clientId: ClientId): boolean {
    return this.#pending.value.some((send) => send.clientId === clientId);
  }

  #drop(clientIds: ReadonlySet<ClientId>): void {
    this.#pending.value = this.#pending.value.filter((send) => !clientIds.has(send.clientId));
  }
}

function newClientId(): ClientId {
  return crypto.randomUUID() as ClientId;
}
