import type { TranscriptEvent } from '../../protocol/event';
import type { Message } from '../../protocol/message';
import type { Part } from '../../protocol/part';
import { PAGE_CHARS, PAGE_MESSAGES, PART_CHARS } from '../base/limits';
import { cutAt } from '../base/text';

/** The newest of `messages` that fit in one message to a view, with long parts cut to their head. */
export function newestThatFit(messages: readonly Message[]): {
  readonly messages: readonly Message[];
  readonly cut: boolean;
} {
  const kept: Message[] = [];
  let chars = 0;
  for (const message of messages.toReversed()) {
    const short = withShortParts(message);
    chars += short.parts.reduce((sum, part) => sum + sizeOf(part), 0);
    if (kept.length > 0 && (chars > PAGE_CHARS || kept.length >= PAGE_MESSAGES))
      return { messages: kept.toReversed(), cut: true };
    kept.push(short);
  }
  return { messages: kept.toReversed(), cut: false };
}

/**
 * The message with each long part as its head and the count of what is left out: that is fetched when unfolded. Images
 * come without their data.
 */
export function withShortParts(message: Message): Message {
  return message.parts.some((part) => part.type === 'attachment' || sizeOf(part) > PART_CHARS)
    ? { ...message, parts: message.parts.map(shortPart) }
    : message;
}

/** The event as a view gets it: without the data of images. */
export function withoutImageData(event: TranscriptEvent): TranscriptEvent {
  switch (event.type) {
    case 'message_added': {
      const { message } = event;
      if (!message.parts.some((part) => part.type === 'attachment')) return event;
      return { ...event, message: { ...message, parts: message.parts.map(withoutData) } };
    }
    case 'part_set':
      return { ...event, part: withoutData(event.part) };
    case 'message_ended':
    case 'part_delta':
    case 'tool_output':
    case 'conversation_changed':
      return event;
  }
}

function withoutData(part: Part): Part {
  if (part.type !== 'attachment') return part;
  const { data: _, ...named } = part;
  return named;
}

function shortPart(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'thinking': {
      if (part.text.length <= PART_CHARS) return part;
      const text = cutAt(part.text, PART_CHARS);
      return { ...part, text, omitted: part.text.length - text.length };
    }
    case 'tool': {
      if (part.result === undefined || part.result.content.length <= PART_CHARS) return part;
      const content = cutAt(part.result.content, PART_CHARS);
      return { ...part, result: { ...part.result, content, omitted: part.result.content.length - content.length } };
    }
    case 'notice': {
      if (part.text.length <= PART_CHARS) return part;
      const text = cutAt(part.text, PART_CHARS);
      return { ...part, text, omitted: part.text.length - text.length };
    }
    case 'attachment':
      return withoutData(part);
    case 'unknown':
      return { ...part, json: cutAt(part.json, PART_CHARS) };
  }
}

function sizeOf(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'notice':
      return part.text.length;
    case 'attachment':
      return part.name.length;
    case 'tool':
      // What a call was given may be a whole file.
      return JSON.stringify(part.arguments).length + (part.result?.content.length ?? 0);
    case 'unknown':
      return part.json.length;
  }
}
