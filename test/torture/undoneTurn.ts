import type { Reply } from '../../src/protocol/wire';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import { lastChangedTurn } from '../../src/extension/conversations/undo/turnChanges';
import { undoFiles } from '../../src/extension/conversations/undo/undoFiles';
import { undoInConversation, type UndoAsked } from '../../src/extension/conversations/undo/undoTurn';
import type { Reader } from '../../src/extension/storage/reading/reader';
import { OpenDocuments } from '../support/tools/openDocuments';
import type { Random } from './random';

/** What there is to take back in a conversation, or to make again; undefined: neither. */
export function undoable(live: LiveConversation, random: Random): UndoAsked | undefined {
  const { messages } = live.transcript;
  const undone = messages.findLast(({ parts }) =>
    parts.some((part) => part.type === 'tool' && part.change?.undone === true),
  );
  if (undone !== undefined && random.chance(0.4)) return { seq: undone.seq, how: 'redo' };
  const turn = lastChangedTurn(messages);
  return turn === undefined ? undefined : { seq: turn.toSeq, how: 'undo' };
}

/** As the editor does it, with a person who decides at random about files that somebody else changed. */
export function takeBack(
  live: LiveConversation,
  asked: UndoAsked,
  files: string,
  reader: Reader,
  random: Random,
): Promise<Reply> {
  const services = {
    reader,
    files: undoFiles(files, new OpenDocuments()),
    ask: () => Promise.resolve(random.pick(['overwrite', 'skip', 'cancel'] as const) ?? 'cancel'),
  };
  return live.workClaimed(async (claimed) => {
    const { done, sentence } = await undoInConversation(claimed, asked, services);
    return done === 'none' ? { ok: false, message: sentence } : { ok: true };
  });
}
