import { ANNOUNCEMENT_CHARS } from '../base/limits';

/**
 * Whether an answer promises an action with a tool and does not do it (“I will now read a.ts.”). In doubt it does not:
 * the question costs the person a request. Only English is known.
 */
export function isAnnouncement(text: string): boolean {
  const words = text.trim();
  if (words.length > ANNOUNCEMENT_CHARS || words.includes('```') || words.includes('?')) return false;
  const last = words.split(/(?<=[.!:…])\s+|\n+/).findLast((sentence) => sentence.trim() !== '') ?? '';
  return PROMISE.test(last) && !CONDITION.test(last);
}

const PROMISE =
  /^(?:(?:ok(?:ay)?|sure|great|alright|first|next|now|then|so)\b[,.!]?\s+)*(?:I will|I'll|I’ll|I am going to|I'm going to|I’m going to|Let me|Let's|Let’s)\s+(?:(?:now|first|next|then|also|start by|begin by|quickly|take a)\s+)*(?:read|reading|look|looking|check|checking|search|searching|list|listing|open|opening|examine|examining|inspect|inspecting|explore|exploring|review|reviewing|find|scan)\b/i;

const CONDITION = /\b(?:if|once|when|after|before|unless|until|whenever|please|you)\b/i;
