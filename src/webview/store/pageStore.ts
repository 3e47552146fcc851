import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { RequestType } from 'vscode-messenger-common';
import type { LiveView, ViewState } from '../../protocol/hydration';
import type { ConversationId } from '../../protocol/ids';
import type { TextPart } from '../../protocol/part';
import type { WindowFacts } from '../../protocol/status';
import { messageAt } from '../../protocol/transcript';
import {
  chooseModelRequest,
  fetchPartRequest,
  olderPageRequest,
  openLinkRequest,
  retryRequest,
  runCommandRequest,
  stopRequest,
  tryServerRequest,
  trySaveRequest,
  type PageCommand,
  type Reply,
} from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import { OLDER_PAGE_MS, PART_MS } from '../limits';
import { strings } from '../strings';
import { Announcer } from './announcer';
import { Hydration } from './hydration';
import { Sends, type PendingSend } from './sends';
import { UiState } from './uiState';

/** Something the person asked for did not happen: what, and why. */
export interface Problem {
  readonly lead: string;
  readonly text: string;
}

/** All state of the page, and all that a person can do in it. */
export class PageStore {
  readonly ui: UiState;
  readonly announcer = new Announcer();
  readonly live: ReadonlySignal<LiveView | undefined>;
  readonly facts: ReadonlySignal<WindowFacts | undefined>;
  /** Own messages that are not part of the transcript yet. */
  readonly pending: ReadonlySignal<readonly PendingSend[]>;
  /** The model that the next message goes to. */
  readonly model: ReadonlySignal<string | undefined>;
  readonly running: ReadonlySignal<boolean>;
  readonly #host: HostPort;
  readonly #hydration: Hydration;
  readonly #sends: Sends;
  readonly #problem = signal<Problem | undefined>(undefined);
  readonly #modelPicker = signal(false);
  readonly #composerFocus = signal(0);
  readonly #fetching = new Set<string>();
  #olderAskedAt = Number.NEGATIVE_INFINITY;
  #olderAskedBefore: number | undefined;

  constructor(host: HostPort) {
    this.#host = host;
    this.ui = new UiState(host);
    this.#sends = new Sends(host);
    this.#hydration = new Hydration(host, () => {
      this.#olderAskedBefore = undefined;
      this.loadOlder();
    });
    const view: ReadonlySignal<ViewState> = this.#hydration.state;
    this.live = computed(() => view.value.live);
    this.facts = computed(() => view.value.facts);
    this.pending = computed(() => {
      const shown = this.live.value?.transcript.conversation.id;
      return this.#sends.pending.value.filter((send) => send.conversationId === shown);
    });
    this.model = computed(() => this.live.value?.transcript.conversation.model ?? this.facts.value?.model);
    this.running = computed(() => (this.live.value?.status.run.kind ?? 'idle') !== 'idle');
  }

  get problem(): ReadonlySignal<Problem | undefined> {
    return this.#problem;
  }

  /** Whether the list of models is open. */
  get modelPicker(): ReadonlySignal<boolean> {
    return this.#modelPicker;
  }

  /** Counts up each time that the composer should take the focus. */
  get composerFocus(): ReadonlySignal<number> {
    return this.#composerFocus;
  }

  /** Says `ready` and takes what comes. Call once. */
  start(): void {
    effect(() => {
      const live = this.live.value;
      if (live === undefined) return;
      const { conversation, messages } = live.transcript;
      batch(() => {
        this.ui.enter(conversation.id);
        this.#sends.settle(conversation.id, messages);
        this.announcer.follow(live);
      });
    });
    this.#hydration.start();
  }

  /** Sends the draft: it is shown at once, and comes back when the host refuses it. */
  async send(): Promise<void> {
    const conversation = this.#conversation;
    const text = this.ui.draft.value;
    if (conversation === undefined || text.trim() === '') return;
    this.#problem.value = undefined;
    this.ui.setDraft('');
    const reply = await this.#sends.send(conversation, text);
    if (reply.ok) return;
    this.ui.giveBack(conversation, text);
    this.#problem.value = { lead: strings.notSent, text: reply.message };
  }

  /** Puts a text into the composer, to be read and sent by the person. */
  fillComposer(text: string): void {
    this.ui.setDraft(text);
    this.#composerFocus.value += 1;
  }

  async stop(): Promise<void> {
    await this.#askAbout(stopRequest, strings.notStopped);
  }

  async retry(): Promise<void> {
    await this.#askAbout(retryRequest, strings.notRetried);
  }

  async chooseModel(model: string): Promise<void> {
    const conversationId = this.#conversation;
    if (conversationId === undefined) return;
    this.#report(await this.#host.ask(chooseModelRequest, { conversationId, model }), strings.modelNotChosen);
  }

  showModelPicker(show: boolean): void {
    this.#modelPicker.value = show;
  }

  async tryServer(): Promise<void> {
    this.#report(await this.#host.ask(tryServerRequest, undefined), strings.notTried);
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
      await this.#until(() => read()?.omitted === undefined);
    }
    return read()?.text ?? '';
  }

  /** The person's last words, for recalling them. */
  lastOwnText(): string | undefined {
    const message = this.live.value?.transcript.messages.findLast((one) => one.role === 'user');
    return message?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  }

  /** Waits for a frame to make `isSo` true, but not for ever. */
  async #until(isSo: () => boolean): Promise<void> {
    let stop = (): void => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PART_MS);
      stop = effect(() => {
        if (isSo()) resolve();
      });
    });
    clearTimeout(timer);
    stop();
  }

  get #conversation(): ConversationId | undefined {
    return this.live.value?.transcript.conversation.id;
  }

  async #askAbout(type: RequestType<{ readonly conversationId: ConversationId }, Reply>, lead: string): Promise<void> {
    const conversationId = this.#conversation;
    if (conversationId !== undefined) this.#report(await this.#host.ask(type, { conversationId }), lead);
  }

  #report(reply: Reply, lead: string): void {
    this.#problem.value = reply.ok ? undefined : { lead, text: reply.message };
  }
}
