import type { ClientId } from '../../../protocol/ids';
import { movedBefore } from '../../../protocol/queueOrder';
import type { QueuedMessage } from '../../../protocol/status';
import { QUEUED_CHARS, QUEUED_MESSAGES } from '../../base/limits';
import type { Change, WriteOutcome } from '../../storage/change';

/** What the queue needs of its conversation. */
export interface QueueOwner {
  write(change: Change): Promise<WriteOutcome>;
  /** Whether the message is part of the transcript. */
  isSent(clientId: ClientId): boolean;
  changed(): void;
  /** The order in memory may not be the file's: reads the queue from there and calls {@link MessageQueue.replace}. */
  readAgain(): void;
}

/** Messages that were written while a turn goes on. They are in the file, too, and outlive the window. */
export class MessageQueue {
  readonly #owner: QueueOwner;
  #messages: readonly QueuedMessage[];
  /** Added and taken out here, and not known to be in the file yet; never, if the file refused it. */
  readonly #adding = new Map<ClientId, QueuedMessage>();
  readonly #removing = new Set<ClientId>();
  /** Moves made here that are not known to be in the file yet. */
  #moving = 0;
  /** The file was read while such a move was on its way. */
  #unsure = false;

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
    void this.#owner.write({ type: 'message_queued', clientId, text, createdAt }).then((outcome) => {
      if (outcome === 'written') this.#adding.delete(clientId);
    });
    this.#set([...this.#messages, message]);
    return undefined;
  }

  /** Takes a message out. False: it is not there (any more). */
  remove(clientId: ClientId): boolean {
    if (this.get(clientId) === undefined) return false;
    this.#removing.add(clientId);
    void this.#owner.write({ type: 'message_unqueued', clientId }).then((outcome) => {
      if (outcome === 'written') this.#removing.delete(clientId);
    });
    this.sent(clientId);
    return true;
  }

  /** Puts a message before another one, or last. False: one of them is not there (any more). */
  move(clientId: ClientId, before?: ClientId): boolean {
    if (this.get(clientId) === undefined || (before !== undefined && this.get(before) === undefined)) return false;
    this.#moving += 1;
    const change = { type: 'message_moved', clientId, ...(before === undefined ? {} : { before }) } as const;
    void this.#owner.write(change).then(() => this.#moved());
    this.#set(movedBefore(this.#messages, clientId, before));
    return true;
  }

  /** The message is part of the transcript now: with that the file takes it out of the queue. */
  sent(clientId: ClientId): void {
    this.#adding.delete(clientId);
    if (this.get(clientId) !== undefined) this.#set(this.#messages.filter((message) => message.clientId !== clientId));
  }

  /** The queue as the file has it; what was done here and is not in the file yet is newer. */
  replace(stored: readonly QueuedMessage[]): void {
    const known = new Set(stored.map((message) => message.clientId));
    const added = [...this.#adding.values()].filter((message) => !known.has(message.clientId));
    const messages = [...stored, ...added].filter(
      ({ clientId }) => !this.#removing.has(clientId) && !this.#owner.isSent(clientId),
    );
    this.#unsure ||= this.#moving > 0;
    if (messages.length > 0 || this.#messages.length > 0)
      this.#set(this.#moving > 0 ? inOrderOf(this.#messages, messages) : messages);
  }

  /** A move was answered. What became of it between what others did is only in the file. */
  #moved(): void {
    this.#moving -= 1;
    if (this.#moving > 0 || !this.#unsure) return;
    this.#unsure = false;
    this.#owner.readAgain();
  }

  #set(messages: readonly QueuedMessage[]): void {
    this.#messages = messages;
    this.#owner.changed();
  }
}

/** `messages` with those that `order` holds, too, in the order in which they are there. The others keep their places. */
function inOrderOf(order: readonly QueuedMessage[], messages: readonly QueuedMessage[]): readonly QueuedMessage[] {
  const byId = new Map(messages.map((message) => [message.clientId, message]));
  const ordered = order.flatMap(({ clientId }) => byId.get(clientId) ?? []);
  const known = new Set(ordered);
  const next = ordered.values();
  return messages.map((message) => (known.has(message) ? (next.next().value ?? message) : message));
}
