import type { Reply } from '../../protocol/wire';
import { MESSAGE_CHARS } from '../base/limits';
import type { StorageError } from '../storage/storageError';
import { FOLLOWING_SENTENCE, SUSPENDED_SENTENCE } from './turns/mailbox';

/** The window is about to end. */
export const CLOSING: Reply = { ok: false, message: 'The window is closing. Your message was not sent.' };

/** The same, for the answer to a call. It waits on in the file. */
export const CLOSING_UNANSWERED: Reply = {
  ok: false,
  message: 'The window is closing. The call waits for your answer.',
};

/** The same, for changes of files. */
export const CLOSING_UNDONE: Reply = { ok: false, message: 'The window is closing. No file was changed.' };

/** The same, for a summary. */
export const CLOSING_NOT_COMPACTED: Reply = {
  ok: false,
  message: 'The window is closing. Older messages were not summarised.',
};

/** The call was answered already, in whichever window, or expired. */
export const NOT_WAITING: Reply = {
  ok: false,
  message: 'This call does not wait for an answer any more: it was answered already, or has expired.',
};

/** The call is part of a turn that another window runs. */
export const WAITS_ELSEWHERE: Reply = {
  ok: false,
  message: 'This call waits in another window. Answer it there, or continue the conversation here first.',
};

/** A page that is older than the request, or none of ours. */
export const NO_SUCH_GRANT: Reply = {
  ok: false,
  message: 'This cannot be allowed in such a way. Allow it once, or deny it.',
};

/** Nothing else begins before the call is answered. */
export const STILL_WAITS: Reply = { ok: false, message: SUSPENDED_SENTENCE };

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

/** The run could not be written, so another window could make the same call, too. */
export function notAnswered({ sentence }: StorageError): Reply {
  return { ok: false, message: `${sentence} The call still waits for your answer. Try again.` };
}

/** The same, for changes of files. */
export function notChanged({ sentence }: StorageError): Reply {
  return { ok: false, message: `${sentence} No file was changed. Try again.` };
}

/** The same, for a summary. */
export function compactionNotBegun({ sentence }: StorageError): Reply {
  return { ok: false, message: `${sentence} Older messages were not summarised. Try again.` };
}

/** A fault of ours while files were changed. */
export const NOT_CHANGED: Reply = {
  ok: false,
  message: 'Something went wrong while files were changed. The log says more.',
};

/** Why a message with these words, and so many images, is not taken; undefined: it is. */
export function unfitWords(text: string, images: number): Reply | undefined {
  if (text.trim() === '')
    return { ok: false, message: images === 0 ? 'The message is empty.' : 'Write something to go with the image.' };
  if (text.length <= MESSAGE_CHARS) return undefined;
  const limit = MESSAGE_CHARS.toLocaleString('en');
  return { ok: false, message: `The message is longer than ${limit} characters. Put it in a file.` };
}
