import type { ConversationId } from '../../../protocol/ids';
import type { StoredMode } from '../../storage/change';
import type { Store } from '../../storage/store';
import type { ChunkCursor } from '../../storage/reading/update';
import type { Look } from './fileWatch';
import { Follower } from './follower';
import type { LiveTranscript } from '../liveTranscript';
import { isBusy, type MailboxEvent, type MailboxState } from '../turns/mailbox';
import type { MessageQueue } from '../turns/messageQueue';
import type { RunClaimer } from '../turns/runClaim';

/** The parts of a live conversation that its file has a say in. */
export interface SyncedConversation {
  readonly live: LiveTranscript;
  readonly claimer: RunClaimer;
  readonly queue: MessageQueue;
  mailbox(): MailboxState;
  /** Whether the file has answered to everything that was done here. */
  isSettled(): boolean;
  /** Keeps turns elsewhere that never came into the file. */
  rescue(): void;
  post(event: MailboxEvent): void;
  /** The transcript is about to be replaced by what the file holds. */
  replacing(): void;
  /** The mode as the file has it. */
  modeRead(mode: StoredMode): void;
  /** Another window wants the run that goes on here. */
  runWanted(): void;
}

/**
 * Keeps a live conversation in step with its file when other windows write to it. What is done in this window meanwhile
 * has precedence. Everything here throws StorageError and is called one after the other.
 */
export class FileSync {
  readonly #store: Store;
  readonly #id: ConversationId;
  readonly #its: SyncedConversation;
  #follower: Follower;
  /** Something of this conversation changed, by whichever window, and was not looked at: its moment had not come. */
  #unread = false;

  constructor(store: Store, id: ConversationId, growing: ChunkCursor | undefined, its: SyncedConversation) {
    this.#store = store;
    this.#id = id;
    this.#its = its;
    this.#follower = new Follower(store.reader, id, growing);
  }

  /** Takes what other windows did since the last look. */
  async look(look: Look): Promise<void> {
    if (!this.#its.claimer.stored) return;
    const state = this.#its.mailbox();
    const touched = look.kind === 'missed' || look.changes.length > 0;
    this.#unread ||= touched;
    if (state.kind === 'following') await this.#follow(look);
    else if (!isBusy(state) && this.#unread) await this.#notice();
    else if (isBusy(state) && touched) await this.#answerTakeover();
  }

  /** Reads the conversation and says who runs it. A run whose window is gone is closed before, so that what is read stays. */
  async readAnew(isCurrent: () => boolean): Promise<void> {
    for (;;) {
      const before = await this.#store.holder(this.#id);
      const suspended = await this.reload(isCurrent);
      if (!isCurrent()) return;
      // Asked again: a run may have begun while this window read; and of one that ended meanwhile the end is yet to be read.
      const holder = await this.#store.holder(this.#id);
      if (!isCurrent()) return;
      if (holder === 'elsewhere') return this.#its.post({ type: 'owned_elsewhere' });
      if (before !== 'elsewhere' && !(await this.#its.claimer.othersRan()))
        return this.#its.post({ type: suspended ? 'found_suspended' : 'owner_gone' });
    }
  }

  /**
   * Reads the newest page, unless `isCurrent` says that it is too late for that. Answers whether calls of it wait for an
   * answer while nobody runs it.
   */
  async reload(isCurrent: () => boolean = () => true): Promise<boolean> {
    const stored = await this.#store.reader.readConversation(this.#id);
    if (stored === undefined || !isCurrent()) return false;
    const { live, claimer, queue } = this.#its;
    // The last moment at which turns that have no place in the file are still in memory.
    this.#its.rescue();
    claimer.learnt(stored.seenFence);
    this.#its.replacing();
    this.#follower = new Follower(this.#store.reader, this.#id, stored.growing);
    live.replace({ conversation: stored.conversation, ...stored.page });
    queue.replace(stored.queue);
    this.#its.modeRead(stored.mode);
    this.#unread = false;
    return stored.suspended;
  }

  async #follow(look: Look): Promise<void> {
    const isCurrent = this.#currentNow();
    // Asked each time: a window that dies changes nothing in the file.
    const holder = await this.#store.holder(this.#id);
    if (look.kind === 'missed' || holder !== 'elsewhere') return this.readAnew(isCurrent);
    const { live, queue } = this.#its;
    const events = await this.#follower.catchUp(live.current, look.changes);
    if (!isCurrent()) return;
    if (!events.every((event) => live.fold(event))) return this.readAnew(isCurrent);
    this.#takeMode();
    for (const event of events)
      if (event.type === 'message_added' && event.message.clientId !== undefined) queue.sent(event.message.clientId);
    if (look.changes.some((change) => change.kind === 'queue')) await this.takeQueue(isCurrent);
    this.#unread = false;
  }

  /** Another window ran it, or changed its title, its model or its queue. */
  async #notice(): Promise<void> {
    const isCurrent = this.#currentNow();
    const { live, claimer } = this.#its;
    if (await claimer.othersRan()) return this.readAnew(isCurrent);
    // What was chosen here and is not in the file yet is newer: then this is looked at again.
    if (!this.#its.isSettled()) return;
    const events = await this.#follower.catchUp(live.current, []);
    if (!isCurrent() || !this.#its.isSettled()) return;
    for (const event of events) live.fold(event);
    this.#takeMode();
    this.#unread = false;
    await this.takeQueue(isCurrent);
  }

  /** Reads the queue. */
  async takeQueue(isCurrent: () => boolean = this.#currentNow()): Promise<void> {
    const { queue } = this.#its;
    for (;;) {
      const before = queue.messages;
      const stored = await this.#store.reader.readQueue(this.#id);
      if (!isCurrent()) return;
      // What was done here meanwhile may be in the file by now, and yet not in what was read.
      if (queue.messages === before) return queue.replace(stored);
    }
  }

  #takeMode(): void {
    const { mode } = this.#follower;
    if (mode !== undefined) this.#its.modeRead(mode);
  }

  async #answerTakeover(): Promise<void> {
    const { claimer } = this.#its;
    const { fence } = claimer;
    if (fence === undefined || !(await this.#store.takeoverAsked(this.#id, fence))) return;
    // The turn may have ended while this was asked.
    if (claimer.fence === fence && isBusy(this.#its.mailbox())) this.#its.runWanted();
  }

  #currentNow(): () => boolean {
    const before = this.#its.mailbox();
    return () => this.#its.mailbox() === before;
  }
}
