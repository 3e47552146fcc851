/**
 * Integer keys of the file. They never leave `storage/`. `message = conversation * 2^32 + seq * 2^8`, `part = message +
 * idx`, so that ranges tie parts to messages and messages to conversations. Computed with `+` and `*`: the numbers pass
 * 2^32, where bit operators would cut them.
 */
const CONVERSATION_SPAN = 2 ** 32;
const MESSAGE_SPAN = 2 ** 8;
const MOST_CONVERSATIONS = 2 ** 20 - 1;
const MOST_MESSAGES = 2 ** 24 - 1;
/** Highest `idx` of a part in its message. */
const MOST_PARTS = 250;

/** Key of the part `idx` of message `seq`; with `idx` 0 it equals the message's own key. Throws RangeError. */
export function rowId(conversation: number, seq: number, idx = 0): number {
  check('conversation', conversation, 1, MOST_CONVERSATIONS);
  check('seq', seq, 1, MOST_MESSAGES);
  check('idx', idx, 0, MOST_PARTS);
  return conversation * CONVERSATION_SPAN + seq * MESSAGE_SPAN + idx;
}

/** First and last key that a part of these messages of a conversation can have. */
export function rowRange(conversation: number, firstSeq = 1, lastSeq = MOST_MESSAGES): readonly [number, number] {
  return [rowId(conversation, firstSeq), rowId(conversation, lastSeq) + MESSAGE_SPAN - 1];
}

/** The place of a part, from its key. */
export function placeOf(id: number): { readonly seq: number; readonly idx: number } {
  const inConversation = id % CONVERSATION_SPAN;
  return { seq: Math.floor(inConversation / MESSAGE_SPAN), idx: inConversation % MESSAGE_SPAN };
}

function check(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} ${value} is not between ${least} and ${most}`);
  }
}
