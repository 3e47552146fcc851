import * as z from 'zod';
import type { ClientId, ConversationId, HelloId, StreamId } from '../../protocol/ids';
import { isConversationId } from '../../protocol/ids';
import { IMAGE_BYTES, IMAGES_PER_MESSAGE, MESSAGE_CHARS } from '../base/limits';

/** What a page sends is untrusted: vscode-messenger checks types at compile time only. */

const shortText = z.string().min(1).max(200);
const conversationId = z.string().refine((text): text is ConversationId => isConversationId(text));
const clientId = shortText.transform((text) => text as ClientId);
const stream = shortText.transform((text) => text as StreamId);
const seq = z
  .int()
  .min(1)
  .max(2 ** 24 - 1);

const idx = z.int().min(0).max(250);

export const readySchema = z.object({ hello: shortText.transform((text) => text as HelloId) });
export const renderedSchema = z.object({ stream, n: z.int().min(0) });
export const olderPageSchema = z.object({ stream, beforeSeq: seq });
export const fetchPartSchema = z.object({ stream, seq, idx });
export const sendSchema = z.object({
  conversationId,
  clientId,
  // More and longer than a message may hold, so that the conversation can say so in words.
  text: z.string().max(MESSAGE_CHARS * 4),
  images: z
    .array(z.object({ name: z.string().max(1_000), mediaType: shortText, data: z.string().max(IMAGE_BYTES * 4) }))
    .max(IMAGES_PER_MESSAGE * 4)
    .exactOptional(),
});
export const conversationSchema = z.object({ conversationId });
export const queuedSchema = z.object({ conversationId, clientId });
export const moveQueuedSchema = z.object({ conversationId, clientId, before: clientId.exactOptional() });
export const draftSchema = z.object({
  conversationId,
  text: z.string().max(MESSAGE_CHARS * 4),
  at: z.int().min(0),
});
export const chooseModelSchema = z.object({ conversationId, model: shortText });
// Whether it can be the name of a model is said in words.
export const modelSchema = z.object({ model: z.string().max(1_000) });
export const answerSchema = z.object({
  conversationId,
  request: shortText,
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('allow') }),
    z.object({ kind: z.literal('grant'), grant: z.int().min(0).max(20) }),
    z.object({ kind: z.literal('deny'), words: z.string().max(MESSAGE_CHARS).exactOptional() }),
  ]),
});
export const setModeSchema = z.object({ conversationId, mode: z.enum(['ask', 'auto_edit', 'bypass']) });
export const callSchema = z.object({ conversationId, seq, idx });
export const undoSchema = z.object({ conversationId, seq, idx: idx.exactOptional(), how: z.enum(['undo', 'redo']) });
export const useHostSchema = z.object({ host: shortText });
export const openLinkSchema = z.object({ href: z.string().max(8_192) });
export const runCommandSchema = z.object({
  command: z.enum([
    'newConversation',
    'resumeConversation',
    'chooseHost',
    'startOllama',
    'showLog',
    'pullModel',
    'openWindowSetting',
    'openPermissions',
  ]),
});
export const nothingSchema = z.unknown().transform(() => undefined);
