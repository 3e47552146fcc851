import type { TranscriptEvent } from '../../protocol/event';
import type { Draft } from '../../protocol/frame';
import { isOwnMessage } from '../../protocol/message';
import type { ClientId, ConversationId, StreamId } from '../../protocol/ids';
import type { AttachmentPart } from '../../protocol/part';
import type { ConversationStatus, QueuedMessage } from '../../protocol/status';
import { messageAt, type Transcript } from '../../protocol/transcript';
import type { Reply } from '../../protocol/wire';
import type { Log } from '../base/log';
import { SerialQueue } from '../base/serialQueue';
import {
  isOfRun,
  type Change,
  type ConversationCreated,
  type ConversationForked,
  type WorkspaceIdentity,
  type WriteOutcome,
} from '../storage/change';
import { StorageError } from '../storage/storageError';
import { ContextGauge } from './contextGauge';
import { DraftKeeper } from './draftKeeper';
import { EventWriter } from './eventWriter';
import { FileSync } from './fileSync';
import type { OnLook } from './fileWatch';
import type { LiveSeed } from './liveSeed';
import type { LiveServices } from './liveServices';
import { LiveTranscript, type LiveListener } from './liveTranscript';
import { MessageQueue } from './messageQueue';
import {
  firstState,
  isBusy,
  nextState,
  runState,
  type MailboxEvent,
  type MailboxState,
  type MailboxStep,
} from './mailbox';
import { personsEvents } from './personsEvents';
import { RunClaimer } from './runClaim';
import { CLOSING, FOLLOWING, GONE, IMAGES_CANNOT_WAIT, NOTHING_TO_ANSWER, unfitWords } from './replies';
import { SaveWatch } from './saveWatch';
import { afterTurn, type EndedTurn } from './turnEnd';
import { TurnRunner } from './turnRunner';
import { withQuestion } from './withQuestion';

/**
 * One conversation in memory. Everything that happens to it here goes through {@link LiveConversation.#record}: queued
 * for the file, folded and shown in one synchronous step. What happens in another window comes through its file.
 */
export class LiveConversation {
  readonly id: ConversationId;
  readonly workspace: WorkspaceIdentity;
  readonly #services: LiveServices;
  readonly #log: Log;
  readonly #live: LiveTranscript;
  readonly #context: ContextGauge;
  readonly #save: SaveWatch;
  readonly #writer: EventWriter;
  readonly #claimer: RunClaimer;
  readonly #queue: MessageQueue;
  readonly #draft: DraftKeeper;
  readonly #origin: ConversationCreated | ConversationForked | undefined;
  readonly #stopWatching: () => void;
  /** Claims and looks at the file, one at a time. */
  readonly #looks = new SerialQueue();
  readonly #file: FileSync;
  readonly #turns: TurnRunner;
  #statusVersion = 0;
  #mailbox: MailboxState;
  /** The message of the queue that the person wants to be sent next, whatever came of the turn before it. */
  #sendNext: ClientId | undefined;
  /** The message that opens a turn, while it is not known yet whether it may. */
  #opening: { readonly clientId: ClientId; readonly reply: Promise<Reply> } | undefined;
  #disposed = false;

  constructor(services: LiveServices, seed: LiveSeed) {
    const { stored } = seed;
    this.id = seed.conversation.id;
    this.workspace = seed.workspace;
    this.#services = services;
    this.#log = services.log.sub(`conversation ${this.id}`);
    this.#origin = seed.origin;
    this.#live = new LiveTranscript({ conversation: seed.conversation, ...seed.page });
    this.#context = new ContextGauge(this.#live, (model) => services.windowsOf(model));
    this.#mailbox = firstState(stored);
    const [write, changed] = [(change: Change) => this.#write(change), () => this.#statusChanged()] as const;
    this.#save = new SaveWatch(services.store, services.clock, stored?.rejected ?? 0, changed);
    this.#queue = new MessageQueue(stored?.queue ?? [], {
      write,
      isSent: (clientId) => this.#has(clientId),
      changed,
      readAgain: () => void this.#looks.run(() => this.#file.takeQueue()).catch(this.#cannotLook),
    });
    // What was typed into a conversation that nobody used leaves no trace.
    const keep = (change: Change): void => {
      if (this.#claimer.stored) void this.#write(change);
    };
    this.#draft = new DraftKeeper(stored?.draft, keep, services.clock);
    this.#writer = new EventWriter(
      (change) => void write(change),
      ({ seq, idx }) => messageAt(this.transcript.messages, seq)?.parts[idx],
      services.clock,
    );
    this.#claimer = new RunClaimer(services.store, this.id, stored?.lastFence);
    this.#file = new FileSync(services.store, this.id, stored?.growing, {
      live: this.#live,
      claimer: this.#claimer,
      queue: this.#queue,
      mailbox: () => this.#mailbox,
      post: (event) => void this.#post(event),
      replacing: () => {
        this.#writer.forget();
        this.#context.forget();
      },
      isSettled: () => this.#save.isSettled,
      rescue: () => this.#rescue(),
      runWanted: () => this.#turns.yieldRun(),
    });
    this.#turns = new TurnRunner(
      services,
      {
        workspace: this.workspace,
        live: this.#live,
        claimer: this.#claimer,
        save: this.#save,
        file: this.#file,
        looks: this.#looks,
        mailbox: () => this.#mailbox,
        post: (event) => this.#post(event),
        record: (event) => this.#record(event),
        write: (change) => void write(change),
        create: () => this.#create(),
        measured: (meter) => {
          this.#context.measured(meter);
          this.#statusChanged();
        },
        refused: () => {
          this.#sendNext = undefined;
        },
        turnEnded: (model, how) => this.#goOn(model, how),
      },
      this.#log,
    );
    const look: OnLook = (seen) =>
      this.#looks.run(async () => (this.#disposed ? undefined : this.#file.look(seen))).catch(this.#cannotLook);
    this.#stopWatching = services.watch.watch(this.id, look, stored?.feedPosition);
  }

  get stream(): StreamId {
    return this.#live.stream;
  }

  /** Number of the last event of the stream. */
  get n(): number {
    return this.#live.n;
  }

  get transcript(): Transcript {
    return this.#live.current;
  }

  /** Place of the first message that the file may never hold; undefined: there is none. */
  get unwrittenFrom(): number | undefined {
    return this.#claimer.unwrittenFrom;
  }

  get draft(): Draft | undefined {
    return this.#draft.current;
  }

  get status(): ConversationStatus {
    const owner = this.#mailbox.kind === 'following' ? 'elsewhere' : isBusy(this.#mailbox) ? 'here' : 'none';
    const [version, save, run] = [this.#statusVersion, this.#save.state, runState(this.#mailbox)];
    return { version, save, run, owner, mode: 'ask', queue: this.#queue.messages, ...this.#context.shown };
  }

  /** Whether it can be dropped from memory without losing anything. */
  get isAtRest(): boolean {
    return !isBusy(this.#mailbox) && !this.#live.isWatched && this.#save.state.kind === 'saved';
  }

  listen(listener: LiveListener): () => void {
    return this.#live.listen(listener);
  }

  /**
   * A message of the person, with images that were looked at; queued while a turn goes on. A repeated `clientId` does
   * nothing. Resolves when it is recorded or refused.
   */
  async send(clientId: ClientId, text: string, model: string, images: readonly AttachmentPart[] = []): Promise<Reply> {
    if (this.#has(clientId) || this.#queue.get(clientId) !== undefined) return { ok: true };
    if (this.#opening?.clientId === clientId) return this.#opening.reply;
    const unfit = unfitWords(text, images.length);
    if (unfit !== undefined) return unfit;
    const message = { clientId, text: text.toWellFormed(), createdAt: this.#services.clock.now() };
    if (this.#disposed) return CLOSING;
    if (isBusy(this.#mailbox)) {
      if (images.length > 0) return IMAGES_CANNOT_WAIT;
      const refused = this.#queue.add(message);
      if (refused !== undefined) return { ok: false, message: refused };
      // Who stops an answer, or has messages summarised, and then writes wants this to be answered.
      if (this.#mailbox.kind === 'stopping' || !this.#turns.answering) this.#sendNext ??= clientId;
      return { ok: true };
    }
    const reply = this.#turns.start(model, () => this.#addMessage(message, images));
    this.#opening = { clientId, reply };
    await reply;
    this.#opening = undefined;
    return reply;
  }

  /** Sends a message of the queue now; an answer that is being written is stopped first. */
  async sendQueued(clientId: ClientId, model: string): Promise<Reply> {
    if (this.#queue.get(clientId) === undefined) return { ok: true };
    if (isBusy(this.#mailbox)) {
      this.#sendNext = clientId;
      this.stop();
      return { ok: true };
    }
    return this.#turns.start(model, () => this.#addQueued(clientId));
  }

  /** Takes a message out of the queue again. */
  unqueue(clientId: ClientId): Reply {
    if (this.#mailbox.kind === 'following') return FOLLOWING;
    return this.#queue.remove(clientId) ? { ok: true } : { ok: false, message: 'The message was sent already.' };
  }

  /** Puts a message of the queue before another one, or last. */
  moveQueued(clientId: ClientId, before: ClientId | undefined): Reply {
    if (this.#mailbox.kind === 'following') return FOLLOWING;
    return this.#queue.move(clientId, before) ? { ok: true } : GONE;
  }

  /** Answers the last user message again. What was answered so far stays in the transcript. */
  async retry(model: string): Promise<Reply> {
    try {
      const before = this.transcript;
      const longer = await withQuestion(before, this.#services.store.reader);
      if (this.transcript === before) this.#live.extend(longer);
    } catch (error) {
      return { ok: false, message: StorageError.from(error).sentence };
    }
    if (!this.transcript.messages.some(isOwnMessage)) return NOTHING_TO_ANSWER;
    return this.#turns.start(model, () => true);
  }

  /** Summarises what is older for the model; the transcript keeps every word. Resolves when that has begun or is refused. */
  compact(model: string): Promise<Reply> {
    return this.#turns.compact(model);
  }

  /** Stops the turn that goes on, whatever it is at. */
  stop(): void {
    this.#post({ type: 'stop_asked' });
    this.#turns.abort('stop');
  }

  /** Takes the conversation over from the window that runs it: what that one was writing ends as interrupted. */
  async continueHere(): Promise<Reply> {
    try {
      await this.#looks.run(async () => {
        if (this.#mailbox.kind !== 'following') return;
        await this.#services.store.takeOver(this.id);
        await this.#file.readAnew(() => this.#mailbox.kind === 'following');
      });
    } catch (error) {
      return { ok: false, message: `${StorageError.from(error).sentence} It still runs in the other window.` };
    }
    return this.#mailbox.kind === 'following' ? FOLLOWING : { ok: true };
  }

  /** Of a conversation that runs in another window the model is not this one's to choose. */
  chooseModel(model: string): void {
    if (this.#mailbox.kind === 'following' || this.transcript.conversation.model === model) return;
    this.#record({ type: 'conversation_changed', model });
    this.windowsChanged();
  }

  /** Another window of the model may be known now, or asked for. A turn that goes on keeps what it began with. */
  windowsChanged(): void {
    if (!isBusy(this.#mailbox) && this.#context.rescaled()) this.#statusChanged();
  }

  setDraft(draft: Draft): void {
    this.#draft.set(draft);
  }

  /** Puts the conversation into the file now, with what it starts with, instead of with its first message. */
  store(opening: readonly TranscriptEvent[] = []): void {
    this.#create();
    this.#claimer.markStored();
    for (const event of opening) this.#record(event);
  }

  /** Ends what goes on as interrupted and hands everything to the writer. The file is the caller's to close. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#stopWatching();
    await this.#turns.close();
    this.#draft.flush();
    this.#writer.flush();
    this.#save.dispose();
  }

  #addMessage(written: QueuedMessage, images: readonly AttachmentPart[] = []): true {
    const now = this.#services.clock.now();
    for (const event of personsEvents(this.transcript, written, images, now)) this.#record(event);
    this.#queue.sent(written.clientId);
    this.#context.grown();
    this.#statusChanged();
    return true;
  }

  /** False: it was taken out, or sent by another window, while the run was asked for. */
  #addQueued(clientId: ClientId): boolean {
    const message = this.#queue.get(clientId);
    return message !== undefined && this.#addMessage(message);
  }

  #has(clientId: ClientId): boolean {
    return this.transcript.messages.some((message) => message.clientId === clientId);
  }

  #goOn(model: string, how: EndedTurn['how']): void {
    const autonomy = this.#mailbox.kind === 'idle' ? this.#mailbox.autonomy : 0;
    const next = afterTurn({ how, wanted: this.#sendNext, queue: this.#queue.messages, undelivered: 0, autonomy });
    this.#sendNext = undefined;
    if (next.kind !== 'send') return;
    void this.#turns.start(this.transcript.conversation.model ?? model, () => this.#addQueued(next.clientId));
  }

  #record(event: TranscriptEvent): void {
    const followed = this.#live.fold(event, () => {
      // A conversation that the file does not hold yet is written with its first message, changes and all.
      if (event.type !== 'conversation_changed' || this.#claimer.stored) this.#writer.write(event);
    });
    if (!followed) throw new Error(`event ${event.type} does not follow from the transcript`);
  }

  #create(): void {
    if (this.#claimer.stored) return;
    const { conversation } = this.transcript;
    void this.#write(this.#origin ?? { type: 'conversation_created', conversation, workspace: this.workspace });
  }

  #write(change: Change): Promise<WriteOutcome> {
    const fence = isOfRun(change) ? this.#claimer.fence : undefined;
    const write = this.#services.store.write({
      conversationId: this.id,
      at: this.#services.clock.now(),
      change,
      ...(fence === undefined ? {} : { fence }),
    });
    if (change.type === 'run_started') this.#claimer.started(change.fence, write);
    this.#save.follow(write, change.type === 'message_added' || change.type === 'message_queued');
    void write.then((outcome) => {
      if (outcome === 'fenced' && change.type === 'run_started') this.#rescue();
      // Also when the turn is over already: then what is in memory never came into the file.
      if (outcome === 'fenced' && fence !== undefined && fence === this.#claimer.usedFence) this.#lost();
    });
    return write;
  }

  /** Turns that began while the file failed never were this window's to run, though nobody could know. */
  #rescue(): void {
    const fromSeq = this.#claimer.unwrittenFrom;
    if (fromSeq === undefined) return;
    this.#services.rescue(this, fromSeq);
    this.#claimer.forgetUnwritten();
    this.#lost();
  }

  /** Another window took the run over: this one stops at once and reads on. */
  #lost(): void {
    if (this.#mailbox.kind === 'following') return;
    this.#log.warn('the run was taken over');
    this.#post({ type: 'owned_elsewhere' });
    this.#turns.abort('takeover');
  }

  #post(event: MailboxEvent): MailboxStep {
    const step = nextState(this.#mailbox, event);
    if (step.ok && step.state !== this.#mailbox) {
      this.#mailbox = step.state;
      if (step.state.kind === 'following') this.#sendNext = undefined;
      this.#statusChanged();
    }
    return step;
  }

  #statusChanged(): void {
    this.#statusVersion += 1;
    this.#live.post(this.status);
  }

  readonly #cannotLook = (error: unknown): void => {
    this.#log.warn(`the file cannot be read: ${StorageError.from(error).code}`);
  };
}
