import type { ClientId } from '../../protocol/ids';
import type { QueuedMessage } from '../../protocol/status';
import { QUEUED_CHARS, QUEUED_MESSAGES } from '../base/limits';
import type { Change, WriteOutcome } from '../storage/change';

/** What the queue needs of its conversation. */
export interface QueueOwner {
  write(change: Change): Promise<WriteOutcome>;
  /** Whether the message is part of the transcript. */
  isSent(clientId: ClientId): boolean;
  changed(): void;
}

/** Messages that were written while a turn goes on. They are in the file, too, and outlive the window. */
export class MessageQueue {
  readonly #owner: QueueOwner;
  #messages: readonly QueuedMessage[];
  /** Added and taken out here, and not known to be in the file yet. */
  readonly #adding = new Map<ClientId, QueuedMessage>();
  readonly #removing = new Set<ClientId>();

  constructor(messages: readonly QueuedMessage[], owner: QueueOwner) {
    this.#messages = messages;
    this.#owner = owner;
  }

  get messages(): readonly QueuedMessage[] {
    return this.#messages;
  }

  get(clientId: ClientId): QueuedMessage | undefined {
    return this.#messages.find((message) => message.clientId === clientId);
  }

  /** Adds a message at the end; or says in a sentence why not. */
  add(message: QueuedMessage): string | undefined {
    if (this.#messages.length >= QUEUED_MESSAGES)
      return `${QUEUED_MESSAGES} messages are queued already. Send or remove one first.`;
    if (message.text.length > QUEUED_CHARS)
      return `A message of more than ${QUEUED_CHARS.toLocaleString('en')} characters cannot be queued. Send it when the answer is done.`;
    const { clientId, text, createdAt } = message;
    this.#adding.set(clientId, message);
    void this.#owner
      .write({ type: 'message_queued', clientId, text, createdAt })
      .then(() => this.#adding.delete(clientId));
    this.#set([...this.#messages, message]);
    return undefined;
  }

  /** Takes a message out. False: it is not there (any more). */
  remove(clientId: ClientId): boolean {
    if (this.get(clientId) === undefined) return false;
    this.#adding.delete(clientId);
    this.#removing.add(clientId);
    void this.#owner.write({ type: 'message_unqueued', clientId }).then(() => this.#removing.delete(clientId));
    this.sent(clientId);
    return true;
  }

  /** The message is part of the transcript now: with that the file takes it out of the queue. */
  sent(clientId: ClientId): void {
    if (this.get(clientId) !== undefined) this.#set(this.#messages.filter((message) => message.clientId !== clientId));
  }

  /** The queue as the file has it; what was done here and is not in the file yet is newer. */
  replace(stored: readonly QueuedMessage[]): void {
    const known = new Set(stored.map((message) => message.clientId));
    const added = [...this.#adding.values()].filter((message) => !known.has(message.clientId));
    const messages = [...stored, ...added].filter(
      ({ clientId }) => !this.#removing.has(clientId) && !this.#owner.isSent(clientId),
    );
    if (messages.length > 0 || this.#messages.length > 0) this.#set(messages);
  }

  #set(messages: readonly QueuedMessage[]): void {
    this.#messages = messages;
    this.#owner.changed();
  }
}
