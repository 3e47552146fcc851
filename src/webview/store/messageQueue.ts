import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { RequestType } from 'vscode-messenger-common';
import type { LiveView } from '../../protocol/hydration';
import type { ClientId } from '../../protocol/ids';
import {
  moveQueuedRequest,
  sendQueuedRequest,
  unqueueRequest,
  type MoveQueuedParams,
  type QueuedParams,
  type Reply,
} from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import { PROMISE_MS } from '../limits';
import type { PendingSend } from './sends';
import { until } from './until';

/** A message of the person that waits, as a row. */
export interface QueueRow {
  readonly clientId: ClientId;
  readonly text: string;
  /** When it left the page (epoch milliseconds), as long as the host has not confirmed it. */
  readonly sentAt?: number;
}

const NONE: readonly QueueRow[] = [];

/** What waits to be sent in the conversation shown: as the host has it, then what is on its way there. */
export class MessageQueue {
  readonly rows: ReadonlySignal<readonly QueueRow[]>;
  readonly #host: HostPort;
  readonly #live: ReadonlySignal<LiveView | undefined>;
  readonly #asked = new Set<ClientId>();
  /** Moves that the host has not confirmed: they are shown already. */
  readonly #moves = signal<readonly MoveQueuedParams[]>([]);

  constructor(
    host: HostPort,
    live: ReadonlySignal<LiveView | undefined>,
    pending: ReadonlySignal<readonly PendingSend[]>,
  ) {
    this.#host = host;
    this.#live = live;
    this.rows = computed(() => {
      const queued = this.#moves.value.reduce(moved, this.#queue);
      const waiting = [...queued, ...pending.value.filter((send) => send.queued)];
      if (waiting.length === 0) return NONE;
      // Transcript and status come in frames of their own: what has become a message waits no longer.
      const sent = new Set(live.value?.transcript.messages.map((message) => message.clientId));
      return waiting.filter((row) => !sent.has(row.clientId));
    });
  }

  /** Undefined when something is being done with this message already. */
  remove(clientId: ClientId): Promise<Reply | undefined> {
    return this.#ask(unqueueRequest, clientId);
  }

  /** Undefined when something is being done with this message already. */
  sendNow(clientId: ClientId): Promise<Reply | undefined> {
    return this.#ask(sendQueuedRequest, clientId);
  }

  /**
   * Moves a message up or down by one. It is shown there at once; `asked` is what the host says to it. Undefined when
   * there is no such place, or the host does not know the message yet.
   */
  move(clientId: ClientId, by: -1 | 1): { readonly place: number; readonly asked: Promise<Reply> } | undefined {
    const conversationId = this.#live.value?.transcript.conversation.id;
    const known = this.rows.value.filter((row) => row.sentAt === undefined);
    const from = known.findIndex((row) => row.clientId === clientId);
    const to = from + by;
    if (conversationId === undefined || from < 0 || to < 0 || to >= known.length) return undefined;
    // What stands there moves aside; downwards it is the one after it that comes next.
    const before = known[by < 0 ? to : to + 1]?.clientId;
    const params = { conversationId, clientId, ...(before === undefined ? {} : { before }) };
    this.#moves.value = [...this.#moves.value, params];
    return { place: to + 1, asked: this.#askToMove(params) };
  }

  async #askToMove(params: MoveQueuedParams): Promise<Reply> {
    const reply = await this.#host.ask(moveQueuedRequest, params);
    if (reply.ok) {
      const stands = (): boolean => {
        const at = this.#queue.findIndex((row) => row.clientId === params.clientId);
        return at < 0 || this.#queue[at + 1]?.clientId === params.before;
      };
      await until(stands, PROMISE_MS);
    }
    const at = this.#moves.value.indexOf(params);
    // The host takes them in their order: one that stands has those before it behind it, though a frame may never show them.
    this.#moves.value = this.#moves.value.filter((move, index) => move !== params && !(reply.ok && index < at));
    return reply;
  }

  get #queue(): readonly QueueRow[] {
    return this.#live.value?.status.queue ?? NONE;
  }

  /** A second press must not be told that there is nothing any more: that is what the first one wanted. */
  async #ask(type: RequestType<QueuedParams, Reply>, clientId: ClientId): Promise<Reply | undefined> {
    const conversationId = this.#live.value?.transcript.conversation.id;
    if (conversationId === undefined || this.#asked.has(clientId)) return undefined;
    this.#asked.add(clientId);
    const reply = await this.#host.ask(type, { conversationId, clientId });
    this.#asked.delete(clientId);
    return reply;
  }
}

/** `rows` after a move. One whose message has gone, or that would go before one that has gone, changes nothing. */
function moved(rows: readonly QueueRow[], { clientId, before }: MoveQueuedParams): readonly QueueRow[] {
  const row = rows.find((one) => one.clientId === clientId);
  const rest = rows.filter((one) => one.clientId !== clientId);
  const at = before === undefined ? rest.length : rest.findIndex((one) => one.clientId === before);
  return row === undefined || at < 0 ? rows : [...rest.slice(0, at), row, ...rest.slice(at)];
}
