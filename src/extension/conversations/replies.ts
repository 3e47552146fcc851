import type { Reply } from '../../protocol/wire';
import { MESSAGE_CHARS } from '../base/limits';
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

/** Nobody has asked anything in the conversation. */
export const NOTHING_TO_ANSWER: Reply = { ok: false, message: 'There is nothing to answer yet.' };

/** The queue holds words only. */
export const IMAGES_CANNOT_WAIT: Reply = {
  ok: false,
  message: 'Images cannot wait in the queue. Send them when the answer is done.',
};

/** Only the window that runs a conversation writes in it. */
export const FOLLOWING: Reply = { ok: false, message: FOLLOWING_SENTENCE };

/** The run could not be written, so another window could start one, too. A fork belongs to this window alone. */
export function notSent({ sentence }: StorageError): Reply {
  return { ok: false, message: `${sentence} Your message was not sent. Try again, or fork it.`, offer: 'fork' };
}

/** Why a message with these words, and so many images, is not taken; undefined: it is. */
export function unfitWords(text: string, images: number): Reply | undefined {
  if (text.trim() === '')
    return { ok: false, message: images === 0 ? 'The message is empty.' : 'Write something to go with the image.' };
  if (text.length <= MESSAGE_CHARS) return undefined;
  const limit = MESSAGE_CHARS.toLocaleString('en');
  return { ok: false, message: `The message is longer than ${limit} characters. Put it in a file.` };
}
