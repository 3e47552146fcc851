import type { ClientId } from '../../protocol/ids';
import type { QueuedMessage } from '../../protocol/status';
import { QUEUED_CHARS, QUEUED_MESSAGES } from '../base/limits';
import type { Change } from '../storage/change';

/** Messages that were written while a turn goes on. They are in the file, too, and outlive the window. */
export class MessageQueue {
  readonly #write: (change: Change) => void;
  readonly #changed: () => void;
  #messages: readonly QueuedMessage[];

  constructor(messages: readonly QueuedMessage[], write: (change: Change) => void, changed: () => void) {
    this.#messages = messages;
    this.#write = write;
    this.#changed = changed;
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
    this.#write({ type: 'message_queued', clientId, text, createdAt });
    this.#set([...this.#messages, message]);
    return undefined;
  }

  /** Takes a message out. False: it is not there (any more). */
  remove(clientId: ClientId): boolean {
    if (this.get(clientId) === undefined) return false;
    this.#write({ type: 'message_unqueued', clientId });
    this.sent(clientId);
    return true;
  }

  /** The message is part of the transcript now: with that the file has taken it out of the queue. */
  sent(clientId: ClientId): void {
    this.#set(this.#messages.filter((message) => message.clientId !== clientId));
  }

  /** The queue as the file has it. */
  replace(messages: readonly QueuedMessage[]): void {
    this.#set(messages);
  }

  #set(messages: readonly QueuedMessage[]): void {
    if (messages.length === 0 && this.#messages.length === 0) return;
    this.#messages = messages;
    this.#changed();
  }
}
