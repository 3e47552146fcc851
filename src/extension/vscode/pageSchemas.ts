import * as z from 'zod';
import type { ClientId, ConversationId, HelloId, StreamId } from '../../protocol/ids';
import { isConversationId } from '../../protocol/ids';
import { MESSAGE_CHARS } from '../base/limits';

/** What a page sends is untrusted: vscode-messenger checks types at compile time only. */

const shortText = z.string().min(1).max(200);
const conversationId = z.string().refine((text): text is ConversationId => isConversationId(text));
const stream = shortText.transform((text) => text as StreamId);
const seq = z
  .int()
  .min(1)
  .max(2 ** 24 - 1);

export const readySchema = z.object({ hello: shortText.transform((text) => text as HelloId) });
export const renderedSchema = z.object({ stream, n: z.int().min(0) });
export const olderPageSchema = z.object({ stream, beforeSeq: seq });
export const fetchPartSchema = z.object({ stream, seq, idx: z.int().min(0).max(250) });
export const sendSchema = z.object({
  conversationId,
  clientId: shortText.transform((text) => text as ClientId),
  // Longer than a message may be, so that the conversation can say so in words.
  text: z.string().max(MESSAGE_CHARS * 4),
});
export const conversationSchema = z.object({ conversationId });
export const queuedSchema = z.object({ conversationId, clientId: shortText.transform((text) => text as ClientId) });
export const draftSchema = z.object({
  conversationId,
  text: z.string().max(MESSAGE_CHARS * 4),
  at: z.int().min(0),
});
export const chooseModelSchema = z.object({ conversationId, model: shortText });
export const openLinkSchema = z.object({ href: z.string().max(8_192) });
export const runCommandSchema = z.object({
  command: z.enum(['newConversation', 'resumeConversation', 'chooseHost', 'startOllama', 'showLog']),
});
export const nothingSchema = z.unknown().transform(() => undefined);
