import type { Reply } from '../../protocol/wire';
import type { StorageError } from '../storage/storageError';
import { FOLLOWING_SENTENCE } from './mailbox';

/** The window is about to end. */
export const CLOSING: Reply = { ok: false, message: 'The window is closing. Your message was not sent.' };

/** A message of the queue that was taken out, or sent by another window, in the meantime. */
export const GONE: Reply = { ok: false, message: 'The message does not wait any more.' };

/** All there is is the last question and its answer. */
export const NOTHING_TO_COMPACT: Reply = {
  ok: false,
  message:
    'There is nothing to summarise yet: what came before the last message is summarised already, or nothing did.',
};

/** A fault of ours. */
export const NOT_COMPACTED: Reply = { ok: false, message: 'Older messages were not summarised. The log says more.' };

/** The server of models said no, in its own words. */
export function notCompacted(detail: string): Reply {
  return { ok: false, message: `Older messages were not summarised, and nothing was changed. Ollama: ${detail}` };
}

/** Only the window that runs a conversation writes in it. */
export const FOLLOWING: Reply = { ok: false, message: FOLLOWING_SENTENCE };

/** The run could not be written, so another window could start one, too. A fork belongs to this window alone. */
export function notSent({ sentence }: StorageError): Reply {
  return { ok: false, message: `${sentence} Your message was not sent. Try again, or fork it.`, offer: 'fork' };
}
