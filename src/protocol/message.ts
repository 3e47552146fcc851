import type { ClientId } from './ids';
import type { Part } from './part';

export type MessageStatus = 'streaming' | 'done' | 'aborted' | 'error';

/** Why a message ended as it did. Which reason goes with which status: {@link messageWord}. */
export type EndReason =
  | 'stop' // the person stopped it
  | 'crash' // the process that ran it died
  | 'takeover' // another window took the run over
  | 'fork' // it was forked while it was being written; the answer goes on in the other conversation
  | 'length' // the model reached its window or its limit of tokens
  | 'step_limit' // the turn reached its limit of requests
  | 'cut_off' // the stream ended without `done`
  | 'unreachable' // nothing answers at the address
  | 'model_not_found'
  | 'server_error' // the server said so, before or in the stream
  | 'empty' // the model answered nothing
  | 'internal'; // a fault of ours

/** Figures of the server. Durations in milliseconds. */
export interface Usage {
  readonly promptTokens?: number;
  readonly answerTokens?: number;
  readonly answerMs?: number;
}

/** What can be said of a message beside its words. `detail` is the server's own text, shown only on demand. */
export interface MessageEnd {
  readonly status: Exclude<MessageStatus, 'streaming'>;
  readonly reason?: EndReason;
  readonly detail?: string;
  readonly usage?: Usage;
  /** Epoch milliseconds, for display only. */
  readonly endedAt: number;
}

/**
 * One message. Its place is `seq`, an integer that grows by insertion in its conversation; `createdAt` (epoch
 * milliseconds) is for display only. There is one assistant message per model request (a step).
 */
export interface Message {
  readonly seq: number;
  readonly role: 'user' | 'assistant';
  readonly status: MessageStatus;
  readonly reason?: EndReason;
  readonly detail?: string;
  readonly usage?: Usage;
  readonly model?: string;
  readonly clientId?: ClientId;
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly parts: readonly Part[];
}

function isInterruption(reason: EndReason | undefined): boolean {
  return reason === 'crash' || reason === 'takeover' || reason === 'fork';
}

/** The panel's word for a message. */
export type MessageWord = 'writing' | 'running' | 'done' | 'stopped' | 'interrupted' | 'cut off' | 'failed';

/** The panel's word: a pure function of status and reason, and, while it streams, of what its last part is. */
export function messageWord(message: Pick<Message, 'status' | 'reason' | 'parts'>): MessageWord {
  switch (message.status) {
    case 'streaming': {
      const last = message.parts.at(-1);
      return last !== undefined && last.type !== 'tool' ? 'writing' : 'running';
    }
    case 'done':
      return message.reason === 'length' ? 'cut off' : 'done';
    case 'aborted':
      return isInterruption(message.reason) ? 'interrupted' : 'stopped';
    case 'error':
      return message.reason === 'cut_off' ? 'cut off' : 'failed';
  }
}
