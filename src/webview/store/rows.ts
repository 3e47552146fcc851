import { isOwnMessage, type Message } from '../../protocol/message';
import type { PendingSend } from './sends';

/**
 * One entry of the list: an own message, all steps of one answer, something the host says, an own message on its way, or
 * the run line.
 */
export type Row =
  | { readonly kind: 'user'; readonly key: string; readonly message: Message }
  | { readonly kind: 'answer'; readonly key: string; readonly messages: readonly Message[] }
  | { readonly kind: 'notice'; readonly key: string; readonly message: Message }
  | { readonly kind: 'pending'; readonly key: string; readonly send: PendingSend }
  | { readonly kind: 'run'; readonly key: string };

/**
 * Whether more of the same answer can follow: the message called tools and ended well, or wrote what nobody could read,
 * so that it was asked again.
 */
export function isOpenEnded(message: Message): boolean {
  if (message.status === 'streaming' || message.reason === 'model_fault') return true;
  return message.status === 'done' && message.reason === undefined && message.parts.some(({ type }) => type === 'tool');
}

/** Whether the row at `index` is the first part of an answer that goes on below what the host says in between. */
export function goesOnBelow(rows: readonly Row[], index: number): boolean {
  const row = rows[index];
  const last = row?.kind === 'answer' ? row.messages.at(-1) : undefined;
  if (last === undefined || !isOpenEnded(last) || rows[index + 1]?.kind !== 'notice') return false;
  const next = rows.slice(index + 1).find(({ kind }) => kind !== 'notice');
  return next?.kind === 'answer' || next?.kind === 'run';
}

/** All of the answer that ends with `end`, also what stands above something that the host said in the middle of it. */
export function wholeAnswer(messages: readonly Message[], end: readonly Message[]): readonly Message[] {
  const before: Message[] = [];
  const first = end[0];
  let at = first === undefined ? -1 : messages.findLastIndex(({ seq }) => seq < first.seq);
  for (; at >= 0; at -= 1) {
    const message = messages[at];
    if (message === undefined || isOwnMessage(message)) break;
    if (message.origin === 'host') continue;
    if (!isOpenEnded(message)) break;
    before.unshift(message);
  }
  return [...before, ...end];
}

/**
 * Makes rows of messages. A row whose messages are the same objects as last time is the same object, and a row keeps
 * its key when an older page brings the beginning of its answer, so that nothing is drawn or placed anew without need.
 */
export class RowBuilder {
  #conversation: string | undefined;
  #messages: readonly Message[] = [];
  #rows: readonly MessageRow[] = [];
  #answerKeys = new Map<number, string>();

  /** `runRow`: the run line is a row of its own, after the last. */
  build(
    conversation: string,
    messages: readonly Message[],
    pending: readonly PendingSend[],
    runRow: boolean,
  ): readonly Row[] {
    if (this.#conversation !== conversation) {
      this.#conversation = conversation;
      this.#messages = [];
      this.#rows = [];
      this.#answerKeys = new Map();
    }
    this.#update(messages);
    return [
      ...this.#rows,
      ...pending.map((send): Row => ({ kind: 'pending', key: ownKey(send.clientId), send })),
      ...(runRow ? [RUN_ROW] : []),
    ];
  }

  /** Keeps the rows of the common beginning: a frame that changes the last message costs no more in a long list. */
  #update(messages: readonly Message[]): void {
    let common = 0;
    while (common < messages.length && messages[common] === this.#messages[common]) common += 1;
    if (common === messages.length && common === this.#messages.length) return;
    const kept: MessageRow[] = [];
    let taken = 0;
    for (const row of this.#rows) {
      const end = taken + count(row);
      // The row that touches the first change may get more messages.
      if (end >= common) break;
      kept.push(row);
      taken = end;
    }
    const before = new Map(this.#rows.slice(kept.length).map((row) => [row.key, row]));
    for (const group of groups(messages.slice(taken))) {
      const row = this.#messageRow(group);
      const old = before.get(row.key);
      kept.push(old !== undefined && same(old, row) ? old : row);
    }
    this.#messages = messages;
    this.#rows = kept;
  }

  #messageRow(group: readonly Message[]): MessageRow {
    const first = group[0];
    if (first?.origin === 'host') return { kind: 'notice', key: `notice:${first.seq}`, message: first };
    if (first?.role === 'user') {
      const key = first.clientId === undefined ? `user:${first.seq}` : ownKey(first.clientId);
      return { kind: 'user', key, message: first };
    }
    let key: string | undefined;
    for (const message of group) key ??= this.#answerKeys.get(message.seq);
    key ??= `answer:${first?.seq ?? 0}`;
    for (const message of group) this.#answerKeys.set(message.seq, key);
    return { kind: 'answer', key, messages: group };
  }
}

type MessageRow = Extract<Row, { kind: 'user' | 'answer' | 'notice' }>;

const RUN_ROW: Row = { kind: 'run', key: 'run' };

/** A message that is confirmed takes the place of its copy, so both have one key. */
function ownKey(clientId: string): string {
  return `own:${clientId}`;
}

function count(row: MessageRow): number {
  return row.kind === 'answer' ? row.messages.length : 1;
}

function groups(messages: readonly Message[]): Message[][] {
  const all: Message[][] = [];
  let open: Message[] | undefined;
  for (const message of messages) {
    if (open === undefined || message.role === 'user') {
      open = [];
      all.push(open);
    }
    open.push(message);
    if (message.role === 'user' || !isOpenEnded(message)) open = undefined;
  }
  return all;
}

function same(a: MessageRow, b: MessageRow): boolean {
  if (a.kind !== 'answer') return b.kind === a.kind && a.message === b.message;
  return (
    b.kind === 'answer' &&
    a.messages.length === b.messages.length &&
    a.messages.every((message, index) => message === b.messages[index])
  );
}
