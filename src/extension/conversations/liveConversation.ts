import type { ApprovalAnswer, ApprovalRequest, Mode } from '../../protocol/approval';
import type { TranscriptEvent } from '../../protocol/event';
import type { Draft } from '../../protocol/frame';
import type { ClientId, ConversationId, StreamId } from '../../protocol/ids';
import { isOwnMessage } from '../../protocol/message';
import type { AttachmentPart } from '../../protocol/part';
import type { ConversationStatus } from '../../protocol/status';
import type { Transcript } from '../../protocol/transcript';
import type { Reply } from '../../protocol/wire';
import type { Log } from '../base/log';
import type { StoredMode, WorkspaceIdentity } from '../storage/change';
import { StorageError } from '../storage/storageError';
import { takenAnswer } from './leave/approvalAnswer';
import { workClaimed, type ClaimedWork } from './turns/claimedWork';
import type { OnLook } from './windows/fileWatch';
import { liveParts, type LiveParts } from './liveParts';
import type { LiveSeed } from './liveSeed';
import type { LiveServices } from './liveServices';
import type { LiveListener } from './liveTranscript';
import {
  firstState,
  isBusy,
  nextState,
  runState,
  type MailboxEvent,
  type MailboxState,
  type MailboxStep,
} from './turns/mailbox';
import { FOLLOWING, NOT_WAITING, NOTHING_TO_ANSWER, WAITS_ELSEWHERE } from './replies';
import { waitingRequest } from './leave/waitingCall';
import { withQuestion } from './withQuestion';

/**
 * One conversation in memory. Everything that happens to it here goes through its {@link Recording}: queued for the
 * file, folded and shown in one synchronous step. What happens in another window comes through its file.
 */
export class LiveConversation {
  readonly id: ConversationId;
  readonly workspace: WorkspaceIdentity;
  readonly #services: LiveServices;
  readonly #log: Log;
  readonly #parts: LiveParts;
  readonly #stopWatching: () => void;
  #statusVersion = 0;
  #mailbox: MailboxState;
  #disposed = false;

  constructor(services: LiveServices, seed: LiveSeed) {
    const { stored } = seed;
    this.id = seed.conversation.id;
    this.workspace = seed.workspace;
    this.#services = services;
    this.#log = services.log.sub(`conversation ${this.id}`);
    this.#mailbox = firstState(stored);
    const cannotLook = (error: unknown): void =>
      this.#log.warn(`the file cannot be read: ${StorageError.from(error).code}`);
    this.#parts = liveParts(services, seed, this.#log, {
      mailbox: () => this.#mailbox,
      post: (event) => this.#post(event),
      changed: () => this.#statusChanged(),
      stop: () => this.stop(),
      cannotLook,
      rescue: () => this.#rescue(),
      lost: () => this.#lost(),
    });
    const { looks, file } = this.#parts;
    const look: OnLook = (seen) =>
      looks.run(async () => (this.#disposed ? undefined : file.look(seen))).catch(cannotLook);
    this.#stopWatching = services.watch.watch(this.id, look, stored?.feedPosition);
  }

  get stream(): StreamId {
    return this.#parts.live.stream;
  }

  /** Number of the last event of the stream. */
  get n(): number {
    return this.#parts.live.n;
  }

  get transcript(): Transcript {
    return this.#parts.live.current;
  }

  /** Place of the first message that the file may never hold; undefined: there is none. */
  get unwrittenFrom(): number | undefined {
    return this.#parts.claimer.unwrittenFrom;
  }

  get draft(): Draft | undefined {
    return this.#parts.draft.current;
  }

  /** The mode that is kept beyond the window. */
  get storedMode(): StoredMode {
    return this.#parts.approvals.storedMode;
  }

  get status(): ConversationStatus {
    const { save, queue, context, approvals } = this.#parts;
    return {
      version: this.#statusVersion,
      save: save.state,
      run: runState(this.#mailbox),
      owner: this.#mailbox.kind === 'following' ? 'elsewhere' : isBusy(this.#mailbox) ? 'here' : 'none',
      mode: approvals.mode,
      queue: queue.messages,
      ...context.shown,
    };
  }

  /** Whether it can be dropped from memory without losing anything. */
  get isAtRest(): boolean {
    const { live, save, approvals } = this.#parts;
    const rests = !isBusy(this.#mailbox) && !live.isWatched && save.state.kind === 'saved';
    // That is in memory only.
    return rests && approvals.mode !== 'bypass';
  }

  listen(listener: LiveListener): () => void {
    return this.#parts.live.listen(listener);
  }

  /**
   * A message of the person, with images that were looked at; queued while a turn goes on. A repeated `clientId` does
   * nothing. Resolves when it is recorded or refused.
   */
  send(clientId: ClientId, text: string, model: string, images: readonly AttachmentPart[] = []): Promise<Reply> {
    return this.#parts.outbox.send(clientId, text, model, images);
  }

  /** Sends a message of the queue now; an answer that is being written is stopped first. */
  sendQueued(clientId: ClientId, model: string): Promise<Reply> {
    return this.#parts.outbox.sendQueued(clientId, model);
  }

  /** Takes a message out of the queue again. */
  unqueue(clientId: ClientId): Reply {
    return this.#parts.outbox.unqueue(clientId);
  }

  /** Puts a message of the queue before another one, or last. */
  moveQueued(clientId: ClientId, before: ClientId | undefined): Reply {
    return this.#parts.outbox.move(clientId, before);
  }

  /** Answers the last user message again. What was answered so far stays in the transcript. */
  async retry(model: string): Promise<Reply> {
    const { live, turns } = this.#parts;
    try {
      const before = this.transcript;
      const longer = await withQuestion(before, this.#services.store.reader);
      if (this.transcript === before) live.extend(longer);
    } catch (error) {
      return { ok: false, message: StorageError.from(error).sentence };
    }
    if (!this.transcript.messages.some(isOwnMessage)) return NOTHING_TO_ANSWER;
    return turns.start(model, () => true);
  }

  /** Summarises what is older for the model; the transcript keeps every word. Resolves when that has begun or is refused. */
  compact(model: string): Promise<Reply> {
    return this.#parts.turns.compact(model);
  }

  /**
   * The person's answer to a call that waits for leave. A request takes one answer: the first. In a conversation that
   * nobody runs the turn goes on by it; then this resolves when the run is this window's.
   */
  async answer(requestId: string, answer: ApprovalAnswer): Promise<Reply> {
    const { approvals, turns } = this.#parts;
    if (this.#mailbox.kind === 'following') return WAITS_ELSEWHERE;
    const request = this.#waitingRequest(requestId);
    if (request === undefined) return NOT_WAITING;
    const taken = takenAnswer(request, answer);
    if (!taken.ok) return taken.failure;
    if (this.#mailbox.kind !== 'suspended')
      return approvals.settle(requestId, taken.value) ? { ok: true } : NOT_WAITING;
    const model = this.transcript.conversation.model ?? this.transcript.messages.at(-1)?.model;
    return model === undefined ? NOT_WAITING : turns.resume(model, requestId, taken.value);
  }

  /** What it may do without asking from now on. Bypass is never written down: it ends with the window. */
  setMode(mode: Mode): Reply {
    const { approvals, claimer, recording } = this.#parts;
    if (this.#mailbox.kind === 'following') return FOLLOWING;
    const before = approvals.storedMode;
    approvals.setMode(mode);
    if (mode !== 'bypass' && mode !== before && claimer.stored) void recording.write({ type: 'mode_set', mode });
    this.#statusChanged();
    return { ok: true };
  }

  /**
   * Does something outside of a turn that no other window may do at the same time, such as taking back changes of files.
   * Refused in words while anything goes on or waits. Resolves when it is done.
   */
  workClaimed(work: ClaimedWork): Promise<Reply> {
    const { jobs, live, recording } = this.#parts;
    const write = recording.write.bind(recording);
    return workClaimed(jobs, { live, write: (change) => void write(change) }, work, this.#services.clock, this.#log);
  }

  /** Stops the turn that goes on, whatever it is at. What only waits, while nobody runs it, goes on waiting. */
  stop(): void {
    this.#post({ type: 'stop_asked' });
    this.#parts.jobs.abort('stop');
  }

  /** Takes the conversation over from the window that runs it: what that one was writing ends as interrupted. */
  async continueHere(): Promise<Reply> {
    const { looks, file } = this.#parts;
    try {
      await looks.run(async () => {
        if (this.#mailbox.kind !== 'following') return;
        await this.#services.store.takeOver(this.id);
        await file.readAnew(() => this.#mailbox.kind === 'following');
      });
    } catch (error) {
      return { ok: false, message: `${StorageError.from(error).sentence} It still runs in the other window.` };
    }
    return this.#mailbox.kind === 'following' ? FOLLOWING : { ok: true };
  }

  /** Of a conversation that runs in another window the model is not this one's to choose. */
  chooseModel(model: string): void {
    if (this.#mailbox.kind === 'following' || this.transcript.conversation.model === model) return;
    this.#parts.recording.record({ type: 'conversation_changed', model });
    this.windowsChanged();
  }

  /** Another window of the model may be known now, or asked for. A turn that goes on keeps what it began with. */
  windowsChanged(): void {
    if (!isBusy(this.#mailbox) && this.#parts.context.rescaled()) this.#statusChanged();
  }

  setDraft(draft: Draft): void {
    this.#parts.draft.set(draft);
  }

  /** Puts the conversation into the file now, with what it starts with, instead of with its first message. */
  store(opening: readonly TranscriptEvent[] = []): void {
    const { recording, claimer } = this.#parts;
    recording.create();
    claimer.markStored();
    for (const event of opening) recording.record(event);
  }

  /** Ends what goes on as interrupted and hands everything to the writer. The file is the caller's to close. */
  async dispose(): Promise<void> {
    const { outbox, jobs, draft, recording, save } = this.#parts;
    this.#disposed = true;
    this.#stopWatching();
    outbox.close();
    await jobs.close();
    draft.flush();
    recording.flush();
    save.dispose();
  }

  #waitingRequest(requestId: string): ApprovalRequest | undefined {
    const last = this.transcript.messages.at(-1);
    return last === undefined ? undefined : waitingRequest(last, requestId);
  }

  /** Turns that began while the file failed never were this window's to run, though nobody could know. */
  #rescue(): void {
    const { claimer } = this.#parts;
    const fromSeq = claimer.unwrittenFrom;
    if (fromSeq === undefined) return;
    this.#services.rescue(this, fromSeq);
    claimer.forgetUnwritten();
    this.#lost();
  }

  /** Another window took the run over: this one stops at once and reads on. */
  #lost(): void {
    if (this.#mailbox.kind === 'following') return;
    this.#log.warn('the run was taken over');
    this.#post({ type: 'owned_elsewhere' });
    this.#parts.jobs.abort('takeover');
  }

  #post(event: MailboxEvent): MailboxStep {
    const step = nextState(this.#mailbox, event);
    if (step.ok && step.state !== this.#mailbox) {
      this.#mailbox = step.state;
      if (step.state.kind === 'following') {
        this.#parts.outbox.forgetWish();
        this.#parts.approvals.endBypass();
      }
      this.#statusChanged();
    }
    return step;
  }

  #statusChanged(): void {
    this.#statusVersion += 1;
    this.#parts.live.post(this.status);
  }
}
