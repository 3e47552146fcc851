import { realpathSync } from 'node:fs';
import * as vscode from 'vscode';
import type { UnsavedEditors } from '../tools/files/unsavedEditors';
import { changedRange, withLineEnds } from './changedRange';

/** The editor's documents with changes that are not saved. A document opened through a link is found by its real path. */
export const unsavedEditors: UnsavedEditors = {
  text: (path) => unsavedDocument(path)?.getText(),
  replace: async (path, before, after) => {
    const document = unsavedDocument(path);
    if (document === undefined) return false;
    const text = document.getText();
    const end = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    // A document has one kind of line end, whatever the texts have that it is compared with.
    if (withLineEnds(text, end) !== withLineEnds(before, end)) return false;
    const change = changedRange(text, withLineEnds(after, end));
    const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, range, change.text);
    // The editor refuses an edit of a document that changed since.
    return vscode.workspace.applyEdit(edit);
  },
};

function unsavedDocument(path: string): vscode.TextDocument | undefined {
  const unsaved = vscode.workspace.textDocuments.filter(
    ({ isDirty, isClosed, uri }) => isDirty && !isClosed && uri.scheme === 'file',
  );
  return unsaved.find(({ uri }) => uri.fsPath === path) ?? unsaved.find(({ uri }) => realPathOf(uri.fsPath) === path);
}

/** Of the few documents that are not saved, and only when none has the path itself. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // The file is gone: its document is where it was.
  }
}
