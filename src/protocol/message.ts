import type { ClientId } from './ids';
import type { Part } from './part';

export type MessageStatus = 'streaming' | 'done' | 'aborted' | 'error';

/** Why a message ended as it did. Which reason goes with which status: {@link messageWord}. */
export type EndReason =
  | 'stop' // the person stopped it
  | 'crash' // the process that ran it died
  | 'takeover' // another window took the run over
  | 'fork' // it was forked while it was being written; the answer goes on in the other conversation
  | 'length' // the model reached its window or its limit of tokens; with status `error`, in the middle of a call
  | 'step_limit' // the turn reached its limit of requests
  | 'repeated_calls' // the model made the same call again and again
  | 'tool_errors' // too many calls in a row failed
  | 'too_long' // the answer grew beyond what we take
  | 'context_full' // the person's message does not fit into the model's window
  | 'empty' // the model answered nothing
  | 'internal' // a fault of ours
  | ServerFault;

/** Why a server of models gave no whole answer. */
export type ServerFault =
  | 'unreachable' // nothing answers at the address
  | 'cut_off' // the stream ended without `done`
  | 'stalled' // the stream was silent for too long
  | 'model_not_found'
  | 'model_fault' // what the model wrote could not be read by the server: a malformed call
  | 'no_tools' // the model cannot use tools
  | 'no_thinking' // the model cannot think, or not at this level
  | 'no_chat' // the model cannot chat: it makes embeddings
  | 'overflow' // the prompt does not fit into the window
  | 'bad_request' // the server did not understand the request
  | 'sign_in' // a model in the cloud, and nobody is signed in
  | 'cloud_off' // a model in the cloud, and the server is told not to use it
  | 'cloud_unreachable'
  | 'forbidden' // the server does not take requests from here
  | 'busy' // its queue is full
  | 'rate_limited'
  | 'load_failed' // the model could not be loaded
  | 'runner_stopped' // the model stopped running: mostly memory
  | 'server_error'; // anything else that the server says, before or in the stream

/**
 * What went otherwise than it should, though there is an answer.
 * `without_tools`, `without_thinking`: the model cannot, which only its refusal told.
 * `prompt_cut`: the server was told more than it says it read, so that it has cut the conversation.
 */
export type MessageNote = 'without_tools' | 'without_thinking' | 'prompt_cut';

/** Figures of the server, and beside them what was expected. Durations in milliseconds. */
export interface Usage {
  readonly promptTokens?: number;
  readonly answerTokens?: number;
  readonly answerMs?: number;
  /** Tokens of the prompt as they were estimated before it was sent, without correction by earlier figures. */
  readonly estimatedTokens?: number;
}

/** What can be said of a message beside its words. `detail` is the server's own text, shown only on demand. */
export interface MessageEnd {
  readonly status: Exclude<MessageStatus, 'streaming'>;
  readonly reason?: EndReason;
  readonly detail?: string;
  readonly usage?: Usage;
  readonly notes?: readonly MessageNote[];
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
  /** `host`: made by us, not by the person. It holds one notice and begins no turn of theirs. */
  readonly origin?: 'host';
  readonly status: MessageStatus;
  readonly reason?: EndReason;
  readonly detail?: string;
  readonly usage?: Usage;
  readonly notes?: readonly MessageNote[];
  readonly model?: string;
  readonly clientId?: ClientId;
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly parts: readonly Part[];
}

/** Whether the person wrote it: only such a message begins a turn. */
export function isOwnMessage(message: Pick<Message, 'role' | 'origin'>): boolean {
  return message.role === 'user' && message.origin === undefined;
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
      return message.reason === 'cut_off' || message.reason === 'length' ? 'cut off' : 'failed';
  }
}
