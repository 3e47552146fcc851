import { isOwnMessage, type EndReason, type Message } from '../../protocol/message';
import type { NoticePart, Part, ToolPart, ToolState } from '../../protocol/part';
import type { ChatMessage, ModelToolCall } from '../ollama/modelClient';
import { shortResult } from './shortResult';

/** One message of the transcript as a model may be told it: an answer comes with the results of its calls. */
export interface Told {
  readonly seq: number;
  /** Whether it is the person's, so that a turn begins with it. */
  readonly own: boolean;
  readonly messages: readonly ChatMessage[];
}

/** How the conversation is told. */
export interface Telling {
  /** Tokens of one result of a tool at most: a longer one is told by its beginning and its end. */
  readonly resultTokens: number;
  /** Whether the model sees images. */
  readonly vision: boolean;
  /** The last answer stands: nothing is about to be asked again. */
  readonly answered?: boolean;
}

/** The conversation as a model may be told it. */
export interface ModelHistory {
  /** What stands for all that is older, when that was summarised. */
  readonly summary: string | undefined;
  /** Oldest first. Empty, or the person's message is the first of its turn. */
  readonly told: readonly Told[];
}

/**
 * The conversation as a model may be told it. Always valid: each call has its result right after it, in order; text is
 * well-formed; arguments are objects. A call and its result are one part, so a pair cannot come apart. The person's last
 * message is always told, also when a summary covers it. `messages` are the transcript's, oldest first.
 */
export function modelHistory(messages: readonly Message[], telling: Telling): ModelHistory {
  const notice = lastCompaction(messages);
  const covers = notice?.covers ?? 0;
  const lastOwn = messages.findLast(isOwnMessage);
  const current = messages.filter((message) => message.origin === undefined && message.seq > covers);
  const spoken = lastOwn !== undefined && lastOwn.seq <= covers ? [lastOwn, ...current] : current;
  const turns = turnsOf(spoken, telling.answered === true);
  return {
    summary: notice?.text.toWellFormed(),
    told: turns.flatMap((turn, index) => {
      // Thinking goes back only while the turn it belongs to goes on, and so do images that tools have read.
      const current = index === turns.length - 1;
      return turn.map((message) => toldAs(message, current, telling));
    }),
  };
}

/** The newest summary of older messages, if there is one. */
export function lastCompaction(messages: readonly Message[]): NoticePart | undefined {
  for (const message of messages.toReversed()) {
    const notice = message.origin === 'host' ? message.parts.find((part) => part.type === 'notice') : undefined;
    if (notice !== undefined) return notice;
  }
  return undefined;
}

/** A turn is a message of the person with all that follows from it, without what a later attempt replaced. */
function turnsOf(messages: readonly Message[], answered: boolean): readonly (readonly Message[])[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const turn = turns.at(-1);
    if (isOwnMessage(message) || turn === undefined) {
      turns.push([message]);
      continue;
    }
    dropReplaced(turn);
    turn.push(message);
  }
  // A request follows a question or results: after an answer that has ended, it is another attempt.
  const last = turns.at(-1);
  if (last !== undefined && !answered) dropReplaced(last);
  return turns.map((turn) => turn.filter((message) => !isUseless(message)));
}

/**
 * Takes out of a turn what the attempt that comes next is made in place of. An answer that was given is given anew, from
 * the question on; but what calls of it have done is done, so that these steps stay. Of an attempt that failed, what it
 * found out stays, and so do calls that may have had effects.
 */
function dropReplaced(turn: Message[]): void {
  const last = turn.at(-1);
  if (last?.role !== 'assistant' || !endsTurn(last)) return;
  if (last.status === 'done')
    turn.splice(0, turn.length, ...turn.filter((each) => isOwnMessage(each) || hasDone(each)));
  else if (!last.parts.some(hasBegun)) turn.pop();
}

/** Whether a call of the message did something that the person has not taken back. */
function hasDone({ parts }: Message): boolean {
  return parts.some((part) => part.type === 'tool' && part.effects === true && part.change?.undone !== true);
}

/** Whether nothing could follow the message but another attempt. */
function endsTurn(message: Message): boolean {
  if (message.status === 'streaming') return false;
  return message.status !== 'done' || !message.parts.some((part) => part.type === 'tool');
}

function hasBegun(part: Part): boolean {
  return part.type === 'tool' && part.state !== 'pending' && part.state !== 'expired';
}

const USELESS: ReadonlySet<EndReason> = new Set(['model_fault', 'empty', 'length', 'overflow']);

/** An answer that could not be used and was asked for again says nothing to a model, wherever it stands. */
function isUseless({ status, reason, parts }: Message): boolean {
  if (status !== 'error' || parts.some(hasBegun)) return false;
  return reason !== undefined && USELESS.has(reason);
}

/** A message never changes: what changes is another object. So what is told of it is made once. */
const known = new WeakMap<Message, { readonly key: string; readonly told: Told }>();

function toldAs(message: Message, current: boolean, telling: Telling): Told {
  const key = `${current} ${telling.vision} ${telling.resultTokens}`;
  const before = known.get(message);
  if (before?.key === key) return before.told;
  const messages = message.role === 'user' ? [question(message, telling)] : answer(message, current, telling);
  const told = { seq: message.seq, own: isOwnMessage(message), messages };
  known.set(message, { key, told });
  return told;
}

function question(message: Message, { vision }: Telling): ChatMessage {
  const content = textOf(message.parts, 'text');
  const attached = message.parts.flatMap((part) => (part.type === 'attachment' ? [part] : []));
  const images = attached.flatMap(({ data }) => (vision && data !== undefined ? [data] : []));
  if (images.length > 0) return { role: 'user', content, images };
  if (attached.length === 0) return { role: 'user', content };
  const names = attached.map((part) => part.name.toWellFormed()).join(', ');
  return { role: 'user', content: `${content}\n\n(Images that you cannot see: ${names}.)` };
}

function answer(message: Message, current: boolean, telling: Telling): readonly ChatMessage[] {
  const content = textOf(message.parts, 'text');
  const calls = message.parts.filter((part) => part.type === 'tool');
  if (content === '' && calls.length === 0) return [];
  const thinking = current ? textOf(message.parts, 'thinking') : '';
  const toolCalls = calls.map((part, index) => callOf(message, part, index));
  const said: ChatMessage = {
    role: 'assistant',
    content,
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  const results = calls.map((part, index): ChatMessage => {
    const told = resultOf(part, current && telling.vision, telling.resultTokens);
    return { role: 'tool', ...told, toolName: part.name, toolCallId: callId(message, part, index) };
  });
  return [said, ...results];
}

function callOf(message: Message, part: ToolPart, index: number): ModelToolCall {
  return { id: callId(message, part, index), name: part.name, arguments: part.arguments };
}

/** Ids of models repeat and may be missing; one made of the place is neither. */
function callId(message: Message, part: ToolPart, index: number): string {
  return part.callId === undefined || part.callId === '' ? `call_${message.seq}_${index}` : part.callId;
}

const TAKEN_BACK = '(The user has taken this change back: the file is as it was before it.)';

/** What a call is answered, as the model is told it. `shown`: images go along. */
function resultOf(part: ToolPart, shown: boolean, tokens: number): Pick<ChatMessage, 'content' | 'images'> {
  const { result, state, change } = part;
  const undone = change?.undone === true ? [TAKEN_BACK] : [];
  if (result === undefined) return { content: [wordsWithoutResult(state), ...undone].join('\n\n') };
  const { image } = result;
  const images = shown && image?.data !== undefined ? { images: [image.data] } : {};
  const hidden = image !== undefined && !shown ? ['(The image is not shown here any more, or cannot be.)'] : [];
  const notes = [...hidden, ...undone];
  return { content: [shortResult(result.content.toWellFormed(), tokens), ...notes].join('\n\n'), ...images };
}

function wordsWithoutResult(state: ToolState): string {
  switch (state) {
    case 'denied':
      return 'The user denied this call. It was not run.';
    case 'expired':
      return 'This call was not run: the answer was stopped first.';
    case 'interrupted':
    case 'running':
      return 'This call was interrupted. It is unknown whether it took effect: check before repeating it.';
    case 'pending':
    case 'awaiting_approval':
      return 'This call has not been run.';
    case 'done':
    case 'error':
      return 'This call ended without a result.';
  }
}

/** What is said in the parts of one kind, as a model is told it. */
export function textOf(parts: readonly Part[], type: 'text' | 'thinking'): string {
  return parts
    .flatMap((part) => (part.type === type ? [part.text] : []))
    .join('\n\n')
    .toWellFormed();
}
