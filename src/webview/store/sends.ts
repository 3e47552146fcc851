import { signal, type ReadonlySignal } from '@preact/signals';
import type { ClientId, ConversationId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import type { QueuedMessage } from '../../protocol/status';
import { sendRequest, type Reply } from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import type { DraftImage } from './images';

/** An own message that is shown before the host has confirmed it. */
export interface PendingSend {
  readonly conversationId: ConversationId;
  readonly clientId: ClientId;
  readonly text: string;
  readonly images: readonly DraftImage[];
  /** Whether it will wait in the queue, as far as the page knows: it is shown where it is going to stand. */
  readonly queued: boolean;
  /** Epoch milliseconds, for display only. */
  readonly sentAt: number;
}

/** Own messages on their way: each is shown until its `clientId` arrives, as a message or in the queue, or it is refused. */
export class Sends {
  readonly #host: HostPort;
  readonly #pending = signal<readonly PendingSend[]>([]);
  /** A text that came back keeps its id, so that sending it again cannot double a message that did get through. */
  #refused: PendingSend | undefined;
  /** Of messages that are not in the transcript yet: those of the queue may come back to be edited. */
  readonly #images = new Map<ClientId, readonly DraftImage[]>();

  constructor(host: HostPort) {
    this.#host = host;
  }

  get pending(): ReadonlySignal<readonly PendingSend[]> {
    return this.#pending;
  }

  /** Sends, and answers what the host answered. On `ok: false` the message is shown no longer. */
  async send(message: Omit<PendingSend, 'clientId' | 'sentAt'>): Promise<Reply> {
    const { conversationId, text } = message;
    const again = this.#refused !== undefined && isSameMessage(this.#refused, message);
    const clientId = again && this.#refused !== undefined ? this.#refused.clientId : newClientId();
    // Once only: the same words said again later are another message.
    if (again) this.#refused = undefined;
    const send: PendingSend = { ...message, clientId, sentAt: Date.now() };
    this.#pending.value = [...this.#pending.value, send];
    if (send.images.length > 0) this.#images.set(clientId, send.images);
    const images = send.images.map(({ name, mediaType, data }) => ({ name, mediaType, data }));
    const params = { conversationId, clientId, text, ...(images.length === 0 ? {} : { images }) };
    const reply = await this.#host.ask(sendRequest, params);
    if (!reply.ok && this.#isPending(clientId)) {
      this.#refused = send;
      this.forgetImages(clientId);
      this.drop(clientId);
      return reply;
    }
    // The event has told that it did arrive: only the answer to the request was lost.
    return { ok: true };
  }

  /** The message itself has come, or stands in the queue: the copy goes. */
  settle(conversationId: ConversationId, messages: readonly Message[], queue: readonly QueuedMessage[]): void {
    if (this.#images.size > 0) {
      for (const { clientId } of messages) if (clientId !== undefined) this.#images.delete(clientId);
    }
    const waiting = this.#pending.value.filter((send) => send.conversationId === conversationId);
    if (waiting.length === 0) return;
    const ids = new Set(waiting.map((send) => send.clientId));
    const arrived = new Set<ClientId>();
    for (const { clientId } of [...messages, ...queue]) {
      if (clientId !== undefined && ids.has(clientId)) arrived.add(clientId);
    }
    if (arrived.size > 0) this.#pending.value = this.#pending.value.filter((send) => !arrived.has(send.clientId));
  }

  /** The images that left this page with a message which is not in the transcript yet. */
  imagesOf(clientId: ClientId): readonly DraftImage[] {
    return this.#images.get(clientId) ?? [];
  }

  /** They are megabytes, and the message is gone or has been given back with them. */
  forgetImages(clientId: ClientId): void {
    this.#images.delete(clientId);
  }

  /** The message is not on its way any more. */
  drop(clientId: ClientId): void {
    this.#pending.value = this.#pending.value.filter((send) => send.clientId !== clientId);
  }

  #isPending(clientId: ClientId): boolean {
    return this.#pending.value.some((send) => send.clientId === clientId);
  }
}

function isSameMessage(a: PendingSend, b: Omit<PendingSend, 'clientId' | 'sentAt'>): boolean {
  const sameImages = a.images.length === b.images.length && a.images.every((image, at) => image === b.images[at]);
  return a.conversationId === b.conversationId && a.text === b.text && sameImages;
}

function newClientId(): ClientId {
  return crypto.randomUUID() as ClientId;
}
