import type { ClientId } from '../../../protocol/ids';
import type { AttachmentPart } from '../../../protocol/part';
import type { QueuedMessage } from '../../../protocol/status';
import type { Reply } from '../../../protocol/wire';
import type { Clock } from '../../base/clock';
import type { JobRunner, RunConversation } from './jobRunner';
import { isBusy } from './mailbox';
import type { MessageQueue } from './messageQueue';
import { personsEvents } from '../personsEvents';
import { CLOSING, FOLLOWING, GONE, IMAGES_CANNOT_WAIT, unfitWords } from '../replies';
import { afterTurn, type EndedTurn } from './turnEnd';
import type { TurnRunner } from './turnRunner';

/** The parts of a live conversation that messages of the person go through. */
export interface OutboxConversation extends Pick<RunConversation, 'live' | 'mailbox' | 'record'> {
  readonly queue: MessageQueue;
  readonly jobs: JobRunner;
  readonly turns: TurnRunner;
  /** Stops what goes on. */
  stop(): void;
  /** A message of the person stands in the transcript. */
  added(): void;
}

/** Takes the person's messages: each opens a turn at once, or waits in the queue for the one before it. */
export class Outbox {
  readonly #its: OutboxConversation;
  readonly #clock: Clock;
  /** The message of the queue that the person wants to be sent next, whatever came of the turn before it. */
  #sendNext: ClientId | undefined;
  /** The message that opens a turn, while it is not known yet whether it may. */
  #opening: { readonly clientId: ClientId; readonly reply: Promise<Reply> } | undefined;
  #closed = false;

  constructor(its: OutboxConversation, clock: Clock) {
    this.#its = its;
    this.#clock = clock;
  }

  /** As {@link LiveConversation.send}. */
  async send(clientId: ClientId, text: string, model: string, images: readonly AttachmentPart[]): Promise<Reply> {
    const { queue, jobs, turns } = this.#its;
    if (this.has(clientId) || queue.get(clientId) !== undefined) return { ok: true };
    if (this.#opening?.clientId === clientId) return this.#opening.reply;
    const unfit = unfitWords(text, images.length);
    if (unfit !== undefined) return unfit;
    const message = { clientId, text: text.toWellFormed(), createdAt: this.#clock.now() };
    if (this.#closed) return CLOSING;
    const mailbox = this.#its.mailbox();
    if (isBusy(mailbox)) {
      if (images.length > 0) return IMAGES_CANNOT_WAIT;
      const refused = queue.add(message);
      if (refused !== undefined) return { ok: false, message: refused };
      // Who stops an answer, or has messages summarised, and then writes wants this to be answered.
      if (mailbox.kind === 'stopping' || jobs.job !== 'turn') this.#sendNext ??= clientId;
      return { ok: true };
    }
    const reply = turns.start(model, () => this.#add(message, images));
    this.#opening = { clientId, reply };
    await reply;
    this.#opening = undefined;
    return reply;
  }

  /** Sends a message of the queue now; an answer that is being written is stopped first. */
  async sendQueued(clientId: ClientId, model: string): Promise<Reply> {
    const { queue, turns } = this.#its;
    if (queue.get(clientId) === undefined) return { ok: true };
    if (isBusy(this.#its.mailbox())) {
      this.#sendNext = clientId;
      this.#its.stop();
      return { ok: true };
    }
    return turns.start(model, () => this.#addQueued(clientId));
  }

  /** Takes a message out of the queue again. */
  unqueue(clientId: ClientId): Reply {
    if (this.#its.mailbox().kind === 'following') return FOLLOWING;
    return this.#its.queue.remove(clientId) ? { ok: true } : { ok: false, message: 'The message was sent already.' };
  }

  /** Puts a message of the queue before another one, or last. */
  move(clientId: ClientId, before: ClientId | undefined): Reply {
    if (this.#its.mailbox().kind === 'following') return FOLLOWING;
    return this.#its.queue.move(clientId, before) ? { ok: true } : GONE;
  }

  /** Whether the message is part of the transcript. */
  has(clientId: ClientId): boolean {
    return this.#its.live.current.messages.some((message) => message.clientId === clientId);
  }

  /** What goes on has ended: sends what is next. */
  goOn(how: EndedTurn['how']): void {
    const { queue, turns, live } = this.#its;
    const mailbox = this.#its.mailbox();
    const autonomy = mailbox.kind === 'idle' ? mailbox.autonomy : 0;
    const next = afterTurn({ how, wanted: this.#sendNext, queue: queue.messages, undelivered: 0, autonomy });
    this.#sendNext = undefined;
    const { model } = live.current.conversation;
    if (next.kind !== 'send' || model === undefined) return;
    void turns.start(model, () => this.#addQueued(next.clientId));
  }

  /** Nothing is wanted any more that was not sent yet. */
  forgetWish(): void {
    this.#sendNext = undefined;
  }

  /** Takes no message any more. */
  close(): void {
    this.#closed = true;
  }

  #add(written: QueuedMessage, images: readonly AttachmentPart[] = []): true {
    const now = this.#clock.now();
    for (const event of personsEvents(this.#its.live.current, written, images, now)) this.#its.record(event);
    this.#its.queue.sent(written.clientId);
    this.#its.added();
    return true;
  }

  /** False: it was taken out, or sent by another window, while the run was asked for. */
  #addQueued(clientId: ClientId): boolean {
    const message = this.#its.queue.get(clientId);
    return message !== undefined && this.#add(message);
  }
}
