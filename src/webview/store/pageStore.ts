import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { RequestType } from 'vscode-messenger-common';
import type { LiveView, ViewState } from '../../protocol/hydration';
import type { ConversationId } from '../../protocol/ids';
import { isOwnMessage } from '../../protocol/message';
import type { TextPart } from '../../protocol/part';
import type { WindowFacts } from '../../protocol/status';
import { messageAt } from '../../protocol/transcript';
import {
  chooseModelRequest,
  compactRequest,
  continueHereRequest,
  fetchPartRequest,
  forkRequest,
  olderPageRequest,
  openLinkRequest,
  retryRequest,
  runCommandRequest,
  stopRequest,
  trySaveRequest,
  type PageCommand,
  type Reply,
} from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import { OLDER_PAGE_MS, PART_MS, PROMISE_MS } from '../limits';
import { strings } from '../strings';
import { Announcer } from './announcer';
import { FileActions } from './fileActions';
import { Hydration } from './hydration';
import { Images, type DraftImage } from './images';
import { MessageQueue, type QueueRow } from './messageQueue';
import { Permissions } from './permissions';
import { Sends, type PendingSend } from './sends';
import { ServerActions } from './serverActions';
import { UiState } from './uiState';
import { until } from './until';

/** Something the person asked for did not happen: what, and why. */
export interface Problem {
  readonly lead: string;
  readonly text: string;
  /** What was refused can be said in a fork of this conversation. */
  readonly fork?: ConversationId;
}

/** A way from reading along to writing. */
export type Move = 'continueHere' | 'fork';

/** What may stand open above the composer, one at a time. */
export type Popup = 'model' | 'context' | 'mode';

/** All state of the page, and all that a person can do in it. */
export class PageStore {
  readonly ui: UiState;
  readonly announcer = new Announcer();
  readonly live: ReadonlySignal<LiveView | undefined>;
  readonly facts: ReadonlySignal<WindowFacts | undefined>;
  /** Own messages that are not part of the transcript yet, and will be at once. */
  readonly pending: ReadonlySignal<readonly PendingSend[]>;
  readonly queue: MessageQueue;
  /** Images that go with the message being written. */
  readonly images: Images;
  readonly server: ServerActions;
  readonly permissions: Permissions;
  readonly files: FileActions;
  /** Whether what is sent now will wait: an answer is being written, or is about to be. */
  readonly queues: ReadonlySignal<boolean>;
  /** What stands open above the composer. It belongs to its conversation, and needs one that can be written in. */
  readonly popup: ReadonlySignal<Popup | undefined>;
  /** The model that the next message goes to. */
  readonly model: ReadonlySignal<string | undefined>;
  readonly running: ReadonlySignal<boolean>;
  readonly #host: HostPort;
  readonly #hydration: Hydration;
  readonly #sends: Sends;
  readonly #problem = signal<Problem | undefined>(undefined);
  readonly #popup = signal<{ readonly popup: Popup; readonly conversation: ConversationId | undefined } | undefined>(
    undefined,
  );
  readonly #composerFocus = signal(false);
  readonly #moving = signal<Move | undefined>(undefined);
  readonly #fetching = new Set<string>();
  #olderAskedAt = Number.NEGATIVE_INFINITY;
  #olderAskedBefore: number | undefined;

  constructor(host: HostPort) {
    this.#host = host;
    this.ui = new UiState(host);
    this.#sends = new Sends(host);
    const report = (reply: Reply, lead: string): void => this.#report(reply, lead);
    this.server = new ServerActions(host, report);
    this.#hydration = new Hydration(host, () => {
      this.#olderAskedBefore = undefined;
      this.loadOlder();
    });
    const view: ReadonlySignal<ViewState> = this.#hydration.state;
    this.live = computed(() => view.value.live);
    this.facts = computed(() => view.value.facts);
    this.permissions = new Permissions(host, this.live, report);
    this.files = new FileActions(host, this.live, report, (words) => this.announcer.say(words));
    this.images = new Images(computed(() => this.#conversation));
    const pending = computed(() => {
      const shown = this.live.value?.transcript.conversation.id;
      return this.#sends.pending.value.filter((send) => send.conversationId === shown);
    });
    this.pending = computed(() => pending.value.filter((send) => !send.queued));
    this.queue = new MessageQueue(host, this.live, pending);
    this.model = computed(() => this.live.value?.transcript.conversation.model ?? this.facts.value?.model);
    this.running = computed(() => (this.live.value?.status.run.kind ?? 'idle') !== 'idle');
    this.queues = computed(() => this.running.value || pending.value.length > 0);
    this.popup = computed(() => {
      const open = this.#popup.value;
      const isHere = open?.conversation === this.#conversation && this.live.value?.status.owner !== 'elsewhere';
      return isHere ? open?.popup : undefined;
    });
  }

  get problem(): ReadonlySignal<Problem | undefined> {
    return this.#problem;
  }

  /** Whether the composer should take the focus. */
  get composerFocus(): ReadonlySignal<boolean> {
    return this.#composerFocus;
  }

  /** Which way out of reading along is being gone right now. */
  get moving(): ReadonlySignal<Move | undefined> {
    return this.#moving;
  }

  /** Says `ready` and takes what comes. Call once. */
  start(): void {
    effect(() => {
      const live = this.live.value;
      if (live === undefined) return;
      const { conversation, messages } = live.transcript;
      batch(() => {
        this.ui.enter(conversation.id, live.draft);
        this.#sends.settle(conversation.id, messages, live.status.queue);
        this.announcer.follow(live);
      });
    });
    effect(() => {
      const facts = this.facts.value;
      if (facts !== undefined) this.announcer.followPulls(facts);
    });
    effect(() => {
      const waiting = this.permissions.waiting.value;
      if (this.live.value?.status.owner !== 'elsewhere') this.announcer.followWaiting(waiting);
    });
    this.#hydration.start();
  }

  /** Sends the draft: it is shown at once, and comes back when the host refuses it. */
  async send(): Promise<void> {
    const conversation = this.#conversation;
    const text = this.ui.draft.value;
    if (conversation === undefined || text.trim() === '') return;
    const images = this.images.take(conversation);
    const sending = this.#send(conversation, text, images);
    // After it, so that the host knows the words as a message before it forgets them as a draft.
    this.ui.draftSent();
    await sending;
  }

  /** Says `text` for the person, who is writing something else. */
  async say(text: string): Promise<void> {
    if (this.#conversation !== undefined) await this.#send(this.#conversation, text, []);
  }

  /** Takes a message out of the queue and puts it into the composer. */
  async editQueued(row: QueueRow): Promise<void> {
    const conversation = this.#conversation;
    const images = this.#sends.imagesOf(row.clientId);
    if (conversation === undefined || !(await this.removeQueued(row))) return;
    batch(() => {
      this.ui.giveBack(conversation, row.text);
      this.images.giveBack(conversation, images);
    });
    this.focusComposer();
  }

  /** Moves a message of the queue up or down by one. */
  async moveQueued(row: QueueRow, by: -1 | 1): Promise<void> {
    const move = this.queue.move(row.clientId, by);
    if (move === undefined) return;
    this.announcer.say(strings.queue.movedTo(move.place, this.queue.rows.value.length));
    this.#report(await move.asked, strings.notMoved);
  }

  /** Takes a message out of the queue. Answers whether that was done. */
  async removeQueued(row: QueueRow): Promise<boolean> {
    const reply = await this.queue.remove(row.clientId);
    if (reply === undefined) return false;
    this.#report(reply, strings.notTakenOut);
    if (reply.ok) {
      this.#sends.drop(row.clientId);
      this.#sends.forgetImages(row.clientId);
    }
    return reply.ok;
  }

  /** Sends a message of the queue before all others, and stops the answer that is being written. */
  async sendQueued(row: QueueRow): Promise<void> {
    const reply = await this.queue.sendNow(row.clientId);
    if (reply !== undefined) this.#report(reply, strings.notSent);
  }

  /** Makes this the window that writes in the conversation, or shows a fork of it that this window can write in. */
  async move(how: Move): Promise<void> {
    if (this.#conversation !== undefined) await this.#move(how, this.#conversation);
  }

  /** Takes the words that were refused along to a fork of their conversation. */
  async forkRefused({ fork }: Problem): Promise<void> {
    if (fork === undefined) return;
    this.announcer.say(strings.forking);
    if (!(await this.#move('fork', fork))) return;
    this.ui.bringDraft(fork);
    this.images.bring(fork);
  }

  /** Puts a text into the composer, to be read and sent by the person. */
  fillComposer(text: string): void {
    this.ui.setDraft(text);
    this.focusComposer();
  }

  /** Wishes that the composer takes the focus, also when it is about to appear. */
  focusComposer(): void {
    this.#composerFocus.value = true;
  }

  /** The composer has taken the focus. */
  composerFocused(): void {
    this.#composerFocus.value = false;
  }

  async stop(): Promise<void> {
    await this.#askAbout(stopRequest, strings.notStopped);
  }

  async retry(): Promise<void> {
    await this.#askAbout(retryRequest, strings.notRetried);
  }

  /** Makes a summary of what is older, for the model. */
  async compact(): Promise<void> {
    await this.#askAbout(compactRequest, strings.notCompacted);
  }

  async chooseModel(model: string): Promise<void> {
    const conversationId = this.#conversation;
    if (conversationId === undefined) return;
    this.#report(await this.#host.ask(chooseModelRequest, { conversationId, model }), strings.modelNotChosen);
  }

  /** Opens a popup in place of the one that is open; undefined closes it. */
  showPopup(popup: Popup | undefined): void {
    this.#popup.value = popup === undefined ? undefined : { popup, conversation: this.#conversation };
  }

  async trySave(): Promise<void> {
    await this.#askAbout(trySaveRequest, strings.notTried);
  }

  async openLink(href: string): Promise<void> {
    this.#report(await this.#host.ask(openLinkRequest, { href }), strings.notOpened);
  }

  async run(command: PageCommand): Promise<void> {
    this.#report(await this.#host.ask(runCommandRequest, { command }), strings.notDone);
  }

  /** A part of the page could not be loaded: mostly the extension was updated meanwhile. */
  partMissing(): void {
    this.#problem.value = { lead: strings.notLoaded, text: strings.reload };
  }

  dismissProblem(): void {
    this.#problem.value = undefined;
  }

  /** Asks for what is older than the first message shown, once per place. */
  loadOlder(): void {
    const live = this.live.value;
    const first = live?.transcript.messages[0];
    if (live === undefined || first === undefined || !live.transcript.hasOlder) return;
    const asked = this.#olderAskedBefore === first.seq && performance.now() - this.#olderAskedAt < OLDER_PAGE_MS;
    if (asked) return;
    this.#olderAskedBefore = first.seq;
    this.#olderAskedAt = performance.now();
    void this.#host.ask(olderPageRequest, { stream: live.stream, beforeSeq: first.seq });
  }

  /** Asks for a part of which the end was left out on the wire. It arrives as a frame. */
  async fetchPart(seq: number, idx: number): Promise<void> {
    const live = this.live.value;
    if (live === undefined) return;
    const key = `${live.stream}:${seq}:${idx}`;
    if (this.#fetching.has(key)) return;
    this.#fetching.add(key);
    const reply = await this.#host.ask(fetchPartRequest, { stream: live.stream, seq, idx });
    this.#fetching.delete(key);
    this.#report(reply, strings.notLoaded);
  }

  /** The text of a part, with what was left out on the wire; without it when it does not come. */
  async wholeText(seq: number, idx: number): Promise<string> {
    const read = (): TextPart | undefined => {
      const part = messageAt(this.live.value?.transcript.messages ?? [], seq)?.parts[idx];
      return part?.type === 'text' ? part : undefined;
    };
    if (read()?.omitted !== undefined) {
      await this.fetchPart(seq, idx);
      await until(() => read()?.omitted === undefined, PART_MS);
    }
    return read()?.text ?? '';
  }

  /** The person's last words, for recalling them. */
  lastOwnText(): string | undefined {
    const message = this.live.value?.transcript.messages.findLast(isOwnMessage);
    return message?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  }

  get #conversation(): ConversationId | undefined {
    return this.live.value?.transcript.conversation.id;
  }

  /** It is shown at once, and comes back into the composer when the host refuses it. */
  async #send(conversationId: ConversationId, text: string, images: readonly DraftImage[]): Promise<void> {
    this.#problem.value = undefined;
    const reply = await this.#sends.send({ conversationId, text, images, queued: this.queues.value });
    if (reply.ok) return;
    const problem = { lead: strings.notSent, text: reply.message };
    batch(() => {
      this.ui.giveBack(conversationId, text);
      this.images.giveBack(conversationId, images);
      this.#problem.value = reply.offer === 'fork' ? { ...problem, fork: conversationId } : problem;
    });
  }

  /** Answers whether it is done and can be seen. */
  async #move(how: Move, conversationId: ConversationId): Promise<boolean> {
    if (this.#moving.value !== undefined) return false;
    this.#moving.value = how;
    const type = how === 'fork' ? forkRequest : continueHereRequest;
    const reply = await this.#host.ask(type, { conversationId });
    this.#report(reply, how === 'fork' ? strings.notForked : strings.notTakenOver);
    const isDone = (): boolean => {
      const live = this.live.value;
      const same = live?.transcript.conversation.id === conversationId;
      return same === (how === 'continueHere') && live?.status.owner !== 'elsewhere';
    };
    if (reply.ok) await until(isDone, PROMISE_MS);
    this.#moving.value = undefined;
    const done = reply.ok && isDone();
    if (done) this.focusComposer();
    return done;
  }

  async #askAbout(type: RequestType<{ readonly conversationId: ConversationId }, Reply>, lead: string): Promise<void> {
    const conversationId = this.#conversation;
    if (conversationId !== undefined) this.#report(await this.#host.ask(type, { conversationId }), lead);
  }

  #report(reply: Reply, lead: string): void {
    this.#problem.value = reply.ok ? undefined : { lead, text: reply.message };
  }
}
