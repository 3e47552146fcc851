import type { TranscriptEvent } from '../../../protocol/event';
import type { Message } from '../../../protocol/message';
import type { ApprovalSubject } from '../../../protocol/approval';
import type { DiffHunk, FileChange } from '../../../protocol/fileChange';
import type { Part, ToolPart, ToolResult } from '../../../protocol/part';
import { PAGE_CHARS, PAGE_MESSAGES, PART_CHARS } from '../../base/limits';
import { cutAt } from '../../base/text';

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
  return message.parts.some((part) => hasImage(part) || sizeOf(part) > PART_CHARS)
    ? { ...message, parts: message.parts.map(shortPart) }
    : message;
}

/** The event as a view gets it: without the data of images. */
export function withoutImageData(event: TranscriptEvent): TranscriptEvent {
  switch (event.type) {
    case 'message_added': {
      const { message } = event;
      if (!message.parts.some(hasImage)) return event;
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

function hasImage(part: Part): boolean {
  return part.type === 'attachment' || (part.type === 'tool' && part.result?.image !== undefined);
}

function withoutData<P extends Part>(part: P): P;
function withoutData(part: Part): Part {
  if (part.type === 'attachment') {
    const { data: _, ...named } = part;
    return named;
  }
  if (part.type !== 'tool' || part.result?.image === undefined) return part;
  const { data: _, ...image } = part.result.image;
  return { ...part, result: { ...part.result, image } };
}

function shortPart(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'notice': {
      if (part.text.length <= PART_CHARS) return part;
      const text = cutAt(part.text, PART_CHARS);
      return { ...part, text, omitted: part.text.length - text.length };
    }
    case 'tool':
      return shortCall(withoutData(part));
    case 'attachment':
      return withoutData(part);
    case 'unknown':
      return { ...part, json: cutAt(part.json, PART_CHARS) };
  }
}

/** Of a long call: the head of its result, and as much of what it would do as there is room for. */
function shortCall(part: ToolPart): ToolPart {
  const { result, approval, change } = part;
  return {
    ...part,
    ...(change === undefined ? {} : { change: shortChange(change) }),
    ...(approval === undefined ? {} : { approval: { ...approval, subject: shortSubject(approval.subject) } }),
    ...(result === undefined ? {} : { result: shortResult(result) }),
  };
}

function shortResult(result: ToolResult): ToolResult {
  if (result.content.length <= PART_CHARS) return result;
  const content = cutAt(result.content, PART_CHARS);
  return { ...result, content, omitted: result.content.length - content.length };
}

/** Whoever gives leave to a command or a text sees all of it; of a file, the editor shows the rest. */
function shortSubject(subject: ApprovalSubject): ApprovalSubject {
  return subject.kind === 'edit' ? { ...subject, change: shortChange(subject.change) } : subject;
}

/** The changed places of a file that there is room for; how many are left out is said in it. */
function shortChange(change: FileChange): FileChange {
  let chars = 0;
  const kept = change.hunks.findIndex((hunk) => {
    chars += sizeOfHunk(hunk);
    return chars > PART_CHARS;
  });
  if (kept < 0) return change;
  const hunksLeftOut = change.hunksLeftOut + change.hunks.length - kept;
  return { ...change, hunks: change.hunks.slice(0, kept), hunksLeftOut };
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
      return sizeOfCall(part);
    case 'unknown':
      return part.json.length;
  }
}

/** What a call was given may be a whole file, and so may what it asks for. */
function sizeOfCall({ arguments: args, approval, change, output, result }: ToolPart): number {
  const asked = approval === undefined ? 0 : JSON.stringify(approval).length;
  const changed = change?.hunks.reduce((sum, hunk) => sum + sizeOfHunk(hunk), 0) ?? 0;
  return JSON.stringify(args).length + asked + changed + (output?.text.length ?? 0) + (result?.content.length ?? 0);
}

function sizeOfHunk({ lines }: DiffHunk): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}
