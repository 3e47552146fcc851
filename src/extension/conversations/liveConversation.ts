import { ulid } from 'ulid';
import type { TranscriptEvent } from '../../protocol/event';
import type { ClientId, ConversationId, StreamId } from '../../protocol/ids';
import type { Message } from '../../protocol/message';
import type { ConversationStatus } from '../../protocol/status';
import { fold, messageAt, type Transcript } from '../../protocol/transcript';
import type { Reply } from '../../protocol/wire';
import type { Recorder } from '../agent/recorder';
import { closeCalls, runTurn, type AbortReason } from '../agent/turn';
import { MESSAGE_CHARS, OWNER_PROBE_MS } from '../base/limits';
import type { Log } from '../base/log';
import { SerialQueue } from '../base/serialQueue';
import type { Change, WorkspaceIdentity } from '../storage/change';
import { StorageError } from '../storage/storageError';
import { EventWriter } from './eventWriter';
import type { LiveSeed } from './liveSeed';
import type { LiveServices } from './liveServices';
import { nextState, runState, type MailboxEvent, type MailboxState, type MailboxStep } from './mailbox';
import { RunClaimer } from './runClaim';
import { SaveWatch } from './saveWatch';
import { titleFrom } from './title';
import { withQuestion } from './withQuestion';

/** Told of everything that happens, synchronously and in order. */
export interface LiveListener {
  /** Event number `n` of the stream; it is folded and queued for the file already. */
  event(event: TranscriptEvent): void;
  status(status: ConversationStatus): void;
  /** The conversation was read anew from the file: another stream begins. */
  replaced(): void;
}

/**
 * One conversation in memory. Everything that happens to it goes through {@link LiveConversation.record}: queued for
 * the file, folded and shown in one synchronous step.
 */
export class LiveConversation {
  readonly id: ConversationId;
  readonly workspace: WorkspaceIdentity;
  readonly #services: LiveServices;
  readonly #log: Log;
  readonly #save: SaveWatch;
  readonly #writer: EventWriter;
  readonly #claimer: RunClaimer;
  readonly #listeners = new Set<LiveListener>();
  /** Claims and looks at the file, one at a time. */
  readonly #looks = new SerialQueue();
  #transcript: Transcript;
  #stream = newStream();
  #n = 0;
  #statusVersion = 0;
  #mailbox: MailboxState;
  #abort: AbortController | undefined;
  #run: Promise<void> = Promise.resolve();
  #cancelPoll: (() => void) | undefined;
  #seenVersion: number | undefined;
  #disposed = false;

  constructor(services: LiveServices, seed: LiveSeed) {
    this.id = seed.conversation.id;
    this.workspace = seed.workspace;
    this.#services = services;
    this.#log = services.log.sub(`conversation ${seed.conversation.id}`);
    this.#transcript = { conversation: seed.conversation, ...seed.page };
    this.#mailbox = seed.elsewhere ? { kind: 'following' } : { kind: 'idle' };
    this.#save = new SaveWatch(services.store, services.clock, () => this.#statusChanged());
    this.#writer = new EventWriter(
      (change) => this.#write(change),
      ({ seq, idx }) => messageAt(this.#transcript.messages, seq)?.parts[idx],
      services.clock,
    );
    this.#claimer = new RunClaimer(services.store, this.id, seed.lastFence, seed.stored);
  }

  get stream(): StreamId {
    return this.#stream;
  }

  /** Number of the last event of the stream. */
  get n(): number {
    return this.#n;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  get status(): ConversationStatus {
    const owner = this.#mailbox.kind === 'following' ? 'elsewhere' : this.#mailbox.kind === 'idle' ? 'none' : 'here';
    return { version: this.#statusVersion, save: this.#save.state, run: runState(this.#mailbox), owner, queue: [] };
  }

  /** Whether it can be dropped from memory without losing anything. */
  get isAtRest(): boolean {
    const still = this.#mailbox.kind === 'idle' || this.#mailbox.kind === 'following';
    return still && this.#listeners.size === 0 && this.#save.state.kind === 'saved';
  }

  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    this.#schedulePoll();
    return () => this.#listeners.delete(listener);
  }

  /** A message of the person. A repeated `clientId` does nothing. Resolves when it is recorded or refused. */
  async send(clientId: ClientId, text: string, model: string): Promise<Reply> {
    if (this.#transcript.messages.some((message) => message.clientId === clientId)) return { ok: true };
    if (text.trim() === '') return { ok: false, message: 'The message is empty.' };
    if (text.length > MESSAGE_CHARS) {
      return {
        ok: false,
        message: `The message is longer than ${MESSAGE_CHARS.toLocaleString('en')} characters. Put it in a file.`,
      };
    }
    return this.#startTurn(model, () => {
      const words = text.toWellFormed();
      this.#record({
        type: 'message_added',
        message: {
          seq: (this.#transcript.messages.at(-1)?.seq ?? 0) + 1,
          role: 'user',
          status: 'done',
          clientId,
          createdAt: this.#services.clock.now(),
          parts: [{ type: 'text', text: words }],
        },
      });
      if (this.#transcript.conversation.title === '')
        this.#record({ type: 'conversation_changed', title: titleFrom(words) });
    });
  }

  /** Answers the last user message again. What was answered so far stays in the transcript. */
  async retry(model: string): Promise<Reply> {
    try {
      const before = this.#transcript;
      const longer = await withQuestion(before, this.#services.store.reader);
      if (this.#transcript === before) this.#transcript = longer;
    } catch (error) {
      return { ok: false, message: StorageError.from(error).sentence };
    }
    if (!this.#transcript.messages.some((message) => message.role === 'user')) {
      return { ok: false, message: 'There is nothing to answer yet.' };
    }
    return this.#startTurn(model, () => undefined);
  }

  /** Stops the turn that goes on, whatever it is at. */
  stop(): void {
    this.#post({ type: 'stop_asked' });
    this.#abortRun('stop');
  }

  chooseModel(model: string): void {
    if (this.#transcript.conversation.model !== model) this.#record({ type: 'conversation_changed', model });
  }

  /** Ends what goes on as interrupted and hands everything to the writer. The file is the caller's to close. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#cancelPoll?.();
    this.#abortRun('crash');
    await this.#run;
    this.#writer.flush();
    this.#save.dispose();
  }

  async #startTurn(model: string, open: () => void): Promise<Reply> {
    if (this.#disposed) return CLOSING;
    const asked = this.#post({ type: 'turn_asked', now: this.#services.clock.now() });
    if (!asked.ok) return asked;
    const abort = new AbortController();
    this.#abort = abort;
    const started = this.#looks.run(() => this.#claimAndOpen(model, open));
    // From now on closing the window waits for it, so that what was accepted is handed to the writer.
    this.#run = started.then((reply) => (reply.ok ? this.#runTurn(model, abort.signal) : undefined));
    return started;
  }

  /** Never rejects. When it answers no, nothing was recorded and the conversation is as it was. */
  async #claimAndOpen(model: string, open: () => void): Promise<Reply> {
    let reply: Reply;
    try {
      reply = await this.#claim();
    } catch (error) {
      this.#log.error('the claim failed', error);
      reply = notSent(StorageError.from(error));
    }
    if (reply.ok) {
      if (this.#transcript.conversation.model !== model) this.#record({ type: 'conversation_changed', model });
      open();
    } else {
      this.#endRun();
      this.#post({ type: 'turn_ended' });
    }
    return reply;
  }

  /** Makes the run this window's. Whoever gets it first reads what others wrote since it last looked. */
  async #claim(): Promise<Reply> {
    if (!this.#claimer.stored) {
      const { conversation } = this.#transcript;
      this.#write({ type: 'conversation_created', conversation, workspace: this.workspace });
    }
    const claim = await this.#claimer.claim(
      (change) => this.#write(change),
      () => this.#save.gate(),
    );
    switch (claim.kind) {
      case 'granted':
        if (claim.othersRan) await this.#reload();
        return { ok: true };
      case 'elsewhere':
        this.#post({ type: 'owned_elsewhere' });
        await this.#reload();
        return { ok: false, message: 'This conversation runs in another window. You can write here when it ends.' };
      case 'failed':
        return notSent(claim.error);
    }
  }

  /** Never rejects. */
  async #runTurn(model: string, signal: AbortSignal): Promise<void> {
    const { clock, store } = this.#services;
    try {
      const settings = await this.#services.prepareTurn(model, this.workspace, signal);
      await runTurn({ ...settings, recorder: this.#recorder, clock, model }, signal);
    } catch (error) {
      this.#log.error('the turn failed', error);
      this.#endOpenMessage(model);
    }
    this.#endRun();
    // Whoever sees it idle, in whichever window, can go on at once.
    await this.#save.gate();
    this.#post({ type: 'turn_ended' });
    if (this.#disposed) return;
    if (this.#mailbox.kind === 'following') await this.#looks.run(() => this.#reload()).catch(this.#cannotLook);
    else await store.checkpoint();
  }

  /** Lets the run go, if there is one. */
  #endRun(): void {
    if (this.#claimer.fence === undefined) return;
    this.#write({ type: 'run_ended' });
    this.#claimer.ended();
  }

  /** After a fault of ours: what was being written ends, so that the conversation goes on. */
  #endOpenMessage(model: string): void {
    const { clock } = this.#services;
    const last = this.#transcript.messages.at(-1);
    let seq = last?.seq ?? 0;
    if (last?.status !== 'streaming') {
      seq += 1;
      const message: Message = {
        seq,
        role: 'assistant',
        status: 'streaming',
        model,
        createdAt: clock.now(),
        parts: [],
      };
      this.#record({ type: 'message_added', message });
    }
    closeCalls(this.#recorder, seq, clock);
    this.#record({ type: 'message_ended', seq, end: { status: 'error', reason: 'internal', endedAt: clock.now() } });
  }

  #abortRun(reason: AbortReason): void {
    this.#abort?.abort(reason);
  }

  get #recorder(): Recorder {
    const transcript = (): Transcript => this.#transcript;
    return {
      get transcript() {
        return transcript();
      },
      record: (event) => this.#record(event),
      gate: () => this.#save.gate(),
      at: (step) => {
        if (this.#mailbox.kind !== 'running' || this.#mailbox.step !== step) this.#post({ type: 'step', step });
      },
    };
  }

  #record(event: TranscriptEvent): void {
    const folded = fold(this.#transcript, event);
    if (!folded.ok) throw new Error(`event ${event.type} does not follow from the transcript`);
    // A conversation that the file does not hold yet is written with its first message, changes and all.
    if (event.type !== 'conversation_changed' || this.#claimer.stored) this.#writer.write(event);
    this.#transcript = folded.transcript;
    this.#n += 1;
    for (const listener of this.#listeners) listener.event(event);
  }

  #write(change: Change): void {
    // A title or a model is nobody's run.
    const free = change.type === 'run_started' || change.type === 'conversation_changed';
    const fence = free ? undefined : this.#claimer.fence;
    const write = this.#services.store.write({
      conversationId: this.id,
      at: this.#services.clock.now(),
      change,
      ...(fence === undefined ? {} : { fence }),
    });
    if (change.type === 'run_started') this.#claimer.started(change.fence, write);
    this.#save.follow(write, change.type === 'message_added');
    void write.then((outcome) => {
      if (outcome === 'fenced' && fence !== undefined && fence === this.#claimer.fence) this.#lost();
    });
  }

  /** Another window took the run over: this one stops at once and reads on. */
  #lost(): void {
    if (this.#mailbox.kind === 'following') return;
    this.#log.warn('the run was taken over');
    this.#post({ type: 'owned_elsewhere' });
    this.#abortRun('takeover');
  }

  #post(event: MailboxEvent): MailboxStep {
    const step = nextState(this.#mailbox, event);
    if (step.ok && step.state !== this.#mailbox) {
      this.#mailbox = step.state;
      this.#statusChanged();
    }
    return step;
  }

  #statusChanged(): void {
    this.#statusVersion += 1;
    const status = this.status;
    for (const listener of this.#listeners) listener.status(status);
  }

  #schedulePoll(): void {
    if (this.#disposed || this.#cancelPoll !== undefined) return;
    this.#cancelPoll = this.#services.clock.after(OWNER_PROBE_MS, () => {
      void this.#looks
        .run(() => this.#look())
        .catch(this.#cannotLook)
        .finally(() => {
          this.#cancelPoll = undefined;
          if (this.#listeners.size > 0) this.#schedulePoll();
        });
    });
  }

  /** Notices what other windows did to the conversation. Whatever is done here meanwhile has precedence. */
  async #look(): Promise<void> {
    const { store } = this.#services;
    const before = this.#mailbox;
    if (!this.#claimer.stored || (before.kind !== 'idle' && before.kind !== 'following')) return;
    const isCurrent = (): boolean => this.#mailbox === before && !this.#disposed;
    const version = await store.dataVersion();
    const changed = version !== this.#seenVersion;
    if (before.kind === 'idle' && !(changed && (await this.#claimer.othersRan()))) {
      this.#seenVersion = version;
      return;
    }
    // A run whose window is gone is ended first, so that what is read is what stays.
    const holder = await store.holder(this.id);
    if (before.kind === 'following' && holder === 'elsewhere' && !changed) return;
    await this.#reload(isCurrent);
    // Asked again: another run may have begun while this window read.
    const elsewhere = (await store.holder(this.id)) === 'elsewhere';
    if (!isCurrent()) return;
    this.#seenVersion = version;
    this.#post({ type: elsewhere ? 'owned_elsewhere' : 'owner_gone' });
  }

  readonly #cannotLook = (error: unknown): void => {
    this.#log.warn(`the file cannot be read: ${StorageError.from(error).code}`);
  };

  /** Reads the newest page anew, unless `isCurrent` says that it is too late for that. */
  async #reload(isCurrent: () => boolean = () => true): Promise<void> {
    const stored = await this.#services.store.reader.readConversation(this.id);
    if (stored === undefined || !isCurrent()) return;
    this.#claimer.learnt(stored.lastFence);
    this.#transcript = { conversation: stored.conversation, ...stored.page };
    this.#stream = newStream();
    this.#n = 0;
    this.#writer.forget();
    for (const listener of this.#listeners) listener.replaced();
  }
}

const CLOSING: Reply = { ok: false, message: 'The window is closing. Your message was not sent.' };

function notSent(error: StorageError): Reply {
  return { ok: false, message: `${error.sentence} Your message was not sent. Try again, or start a new conversation.` };
}

function newStream(): StreamId {
  return ulid() as StreamId;
}
