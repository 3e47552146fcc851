import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ApprovalAnswer, ApprovalRequest, Mode } from '../../protocol/approval';
import type { LiveView } from '../../protocol/hydration';
import type { ConversationId } from '../../protocol/ids';
import { answerRequest, setModeRequest, type Reply } from '../../protocol/wire';
import { approvalWords } from '../approvalWords';
import type { HostPort } from '../host/hostPort';
import { PROMISE_MS } from '../limits';
import { until } from './until';
import { sameWaiting, waitingIn, type Waiting } from './waiting';

/** What the person is asked for, what they answer, and what they let the conversation do without being asked. */
export class Permissions {
  /** The calls that wait for an answer, oldest first. */
  readonly waiting: ReadonlySignal<readonly Waiting[]>;
  readonly #host: HostPort;
  readonly #live: ReadonlySignal<LiveView | undefined>;
  readonly #report: (reply: Reply, lead: string) => void;
  readonly #answering = signal<ReadonlyMap<string, ApprovalAnswer['kind']>>(new Map());
  readonly #changing = signal<Mode | undefined>(undefined);
  readonly #inSight = signal<ReadonlySet<string>>(new Set());
  readonly #wish = signal<Waiting | undefined>(undefined);

  /** `report` says what was not done, and why. */
  constructor(
    host: HostPort,
    live: ReadonlySignal<LiveView | undefined>,
    report: (reply: Reply, lead: string) => void,
  ) {
    this.#host = host;
    this.#live = live;
    this.#report = report;
    let last: readonly Waiting[] = [];
    // The same list while nothing in it changes: an answer is drawn anew with every frame, a card need not be.
    this.waiting = computed(() => {
      const now = waitingIn(live.value?.transcript.messages ?? []);
      if (!sameWaiting(last, now)) last = now;
      return last;
    });
  }

  /** The answers that are on their way, by the id of their request. */
  get answering(): ReadonlySignal<ReadonlyMap<string, ApprovalAnswer['kind']>> {
    return this.#answering;
  }

  /** The mode that was chosen and does not hold yet. */
  get changing(): ReadonlySignal<Mode | undefined> {
    return this.#changing;
  }

  /** Ids of the requests of which something can be seen. */
  get inSight(): ReadonlySignal<ReadonlySet<string>> {
    return this.#inSight;
  }

  /** The request that should come into view and take the focus. */
  get wish(): ReadonlySignal<Waiting | undefined> {
    return this.#wish;
  }

  /** Answers a request once. It stays disabled until the transcript tells what came of it. */
  async answer(request: ApprovalRequest, answer: ApprovalAnswer): Promise<void> {
    const conversationId = this.#conversation;
    if (conversationId === undefined || this.#answering.value.has(request.id)) return;
    this.#answering.value = new Map(this.#answering.value).set(request.id, answer.kind);
    const asked = this.#host.ask(answerRequest, { conversationId, request: request.id, answer });
    await this.#follow(asked, approvalWords.notAnswered, () => !this.#waits(request));
    const others = new Map(this.#answering.value);
    others.delete(request.id);
    this.#answering.value = others;
  }

  /** Lets the conversation do more, or less, without asking. It holds when the status says so. */
  async setMode(mode: Mode): Promise<void> {
    const conversationId = this.#conversation;
    if (conversationId === undefined || this.#changing.value !== undefined) return;
    this.#changing.value = mode;
    const asked = this.#host.ask(setModeRequest, { conversationId, mode });
    const isDone = (): boolean => this.#live.value?.status.mode === mode || this.#conversation !== conversationId;
    await this.#follow(asked, approvalWords.modeNotChanged, isDone);
    this.#changing.value = undefined;
  }

  /** Wishes that a request comes into view. */
  show(waiting: Waiting | undefined): void {
    this.#wish.value = waiting === undefined ? undefined : { ...waiting };
  }

  /** The request has come into view. */
  shown(): void {
    this.#wish.value = undefined;
  }

  /** Goes to the next request, or the one before, from the one that has the focus. Answers whether there is one. */
  step(by: -1 | 1, focused: string | undefined): boolean {
    const all = this.waiting.value;
    const at = all.findIndex(({ request }) => request.id === focused);
    const from = at < 0 && by < 0 ? 0 : at;
    this.show(all[(from + by + all.length) % all.length]);
    return all.length > 0;
  }

  /** A card says whether something of it can be seen. */
  setInSight(request: string, inSight: boolean): void {
    if (this.#inSight.peek().has(request) === inSight) return;
    const all = new Set(this.#inSight.peek());
    if (inSight) all.add(request);
    else all.delete(request);
    this.#inSight.value = all;
  }

  get #conversation(): ConversationId | undefined {
    return this.#live.value?.transcript.conversation.id;
  }

  #waits(request: ApprovalRequest): boolean {
    return this.waiting.value.some((waiting) => waiting.request.id === request.id);
  }

  async #follow(asked: Promise<Reply>, lead: string, isDone: () => boolean): Promise<void> {
    const reply = await asked;
    this.#report(reply, lead);
    if (reply.ok) await until(isDone, PROMISE_MS);
  }
}
