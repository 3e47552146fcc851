import type { Conversation } from './conversation';
import type { TranscriptEvent } from './event';
import type { Message } from './message';
import { isStreamed, type Part } from './part';

/** A conversation as far as it is loaded: a run of its newest messages, in order of `seq`. */
export interface Transcript {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  /** Whether the store holds messages older than the first one here. */
  readonly hasOlder: boolean;
}

/** The fold, or `gap` when the event speaks of text that was never received. */
export type FoldResult = { readonly ok: true; readonly transcript: Transcript } | { readonly ok: false };

/**
 * Folds one event into a transcript. Pure, and the only way a transcript changes, in host and page alike.
 * Events for messages that are not loaded change nothing. An event may be applied twice: a message or part is set to
 * the same value, and the overlap of a delta is cut.
 */
export function fold(transcript: Transcript, event: TranscriptEvent): FoldResult {
  switch (event.type) {
    case 'message_added':
      return { ok: true, transcript: { ...transcript, messages: withMessage(transcript.messages, event.message) } };
    case 'message_ended':
      return {
        ok: true,
        transcript: mapMessage(transcript, event.seq, (message) => ({ ...message, ...event.end })),
      };
    case 'part_set':
      return foldPart(transcript, event.seq, event.idx, () => event.part);
    case 'part_delta':
      return foldPart(transcript, event.seq, event.idx, (part) =>
        part !== undefined && isStreamed(part) ? appendAt(part, event.at, event.text) : undefined,
      );
    case 'tool_output':
      return foldPart(transcript, event.seq, event.idx, (part) =>
        part?.type === 'tool' && part.state === 'running' ? { ...part, output: event.output } : part,
      );
    case 'conversation_changed': {
      const { type: _, ...changes } = event;
      return { ok: true, transcript: { ...transcript, conversation: { ...transcript.conversation, ...changes } } };
    }
  }
}

/** Whole messages of an older page put before what is loaded. Those already loaded win: they are newer or equal. */
export function withOlderPage(transcript: Transcript, page: readonly Message[], hasOlder: boolean): Transcript {
  const first = transcript.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  const older = page.filter((message) => message.seq < first);
  return { ...transcript, messages: [...older, ...transcript.messages], hasOlder };
}

/** The message at `seq`, if it is loaded. */
export function messageAt(messages: readonly Message[], seq: number): Message | undefined {
  const index = indexOf(messages, seq);
  return index < 0 ? undefined : messages[index];
}

function foldPart(
  transcript: Transcript,
  seq: number,
  idx: number,
  change: (part: Part | undefined) => Part | undefined,
): FoldResult {
  const index = indexOf(transcript.messages, seq);
  const message = transcript.messages[index];
  if (message === undefined) return { ok: true, transcript };
  const part = idx > message.parts.length ? undefined : change(message.parts[idx]);
  if (part === undefined) return { ok: false };
  const parts = message.parts.slice();
  parts[idx] = part;
  return {
    ok: true,
    transcript: { ...transcript, messages: replaced(transcript.messages, index, { ...message, parts }) },
  };
}

/** The part with `text` put at UTF-16 offset `at`: overlap is cut; undefined when there is a gap before it. */
function appendAt<P extends { readonly text: string; readonly omitted?: number }>(
  part: P,
  at: number,
  text: string,
): P | undefined {
  const length = part.text.length + (part.omitted ?? 0);
  if (at > length) return undefined;
  const fresh = text.slice(length - at);
  if (fresh === '') return part;
  // A part whose end was left out on the wire only counts what it misses: the page fetches it whole when unfolded.
  return part.omitted === undefined
    ? { ...part, text: part.text + fresh }
    : { ...part, omitted: part.omitted + fresh.length };
}

function mapMessage(transcript: Transcript, seq: number, change: (message: Message) => Message): Transcript {
  const index = indexOf(transcript.messages, seq);
  const message = transcript.messages[index];
  if (message === undefined) return transcript;
  return { ...transcript, messages: replaced(transcript.messages, index, change(message)) };
}

function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
  const last = messages.at(-1);
  if (last === undefined || last.seq < message.seq) return [...messages, message];
  const index = indexOf(messages, message.seq);
  return index < 0 ? messages : replaced(messages, index, message);
}

function replaced(messages: readonly Message[], index: number, message: Message): readonly Message[] {
  const copy = messages.slice();
  copy[index] = message;
  return copy;
}

/** Index of the message with `seq`, or -1. The newest messages are asked for most, so the search starts at the end. */
function indexOf(messages: readonly Message[], seq: number): number {
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const at = messages[index]?.seq ?? 0;
    if (at === seq) return index;
    if (at < seq) return -1;
  }
  return -1;
}
