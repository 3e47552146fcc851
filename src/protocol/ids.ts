/** Identities that leave the store. Each is a string with a brand, so that one cannot stand in for another. */

declare const brand: unique symbol;
type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** ULID of a conversation. */
export type ConversationId = Branded<string, 'ConversationId'>;

/** Names one live instance of a conversation: a number `n` means something only within its stream. */
export type StreamId = Branded<string, 'StreamId'>;

/** Made by the composer for each message sent, so that a repeated send does nothing. */
export type ClientId = Branded<string, 'ClientId'>;

/** Names one `ready` of one page: a snapshot of another stream is taken only when it answers the latest one. */
export type HelloId = Branded<string, 'HelloId'>;

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether `text` has the shape of a ULID (Crockford base 32, 26 characters). */
export function isConversationId(text: string): text is ConversationId {
  return ULID.test(text);
}
