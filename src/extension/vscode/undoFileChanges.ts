import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Reply } from '../../protocol/wire';
import type { LiveConversation } from '../conversations/liveConversation';
import { undoFiles } from '../conversations/undo/undoFiles';
import { undoInConversation, type UndoAsked } from '../conversations/undo/undoTurn';
import type { Reader } from '../storage/reading/reader';
import { StorageError } from '../storage/storageError';
import { askAboutConflict } from './conflictQuestion';
import { folderOf, rootOf } from './folder';
import { unsavedEditors } from './unsavedEditors';

/** Takes back what calls changed in files of the folder, or makes it again. Says in words what was left as it is. */
export async function undoFileChanges(live: LiveConversation, asked: UndoAsked, reader: Reader): Promise<Reply> {
  const root = rootOf(folderOf(live.workspace));
  const real = root === undefined ? undefined : await realpath(root).catch(() => undefined);
  if (real === undefined) return NO_FOLDER;
  const files = undoFiles(real, unsavedEditors);
  return live.workClaimed(async (claimed) => {
    try {
      const { done, sentence } = await undoInConversation(claimed, asked, { reader, files, ask: askAboutConflict });
      // What was left as it is, the page does not show.
      if (done === 'some') void vscode.window.showWarningMessage(sentence);
      return done === 'none' ? { ok: false, message: sentence } : { ok: true };
    } catch (error) {
      return { ok: false, message: `${StorageError.from(error).sentence} Nothing was changed.` };
    }
  });
}

const NO_FOLDER: Reply = {
  ok: false,
  message: 'Files are changed only in a folder on this machine that is open and trusted. Nothing was changed.',
};
