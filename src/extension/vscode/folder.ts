import * as vscode from 'vscode';
import { readableRoot } from '../agent/context/places';
import type { WorkspaceIdentity } from '../storage/change';
import { folderKey, NO_FOLDER_KEY } from '../workspace/folderKey';

/** The folder a new conversation belongs to: the active editor's, else the first; undefined when none is open. */
export function currentFolder(): vscode.WorkspaceFolder | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const ofEditor = active === undefined ? undefined : vscode.workspace.getWorkspaceFolder(active);
  return ofEditor ?? vscode.workspace.workspaceFolders?.[0];
}

/** Whose history the window shows. */
export function identityOf(folder: vscode.WorkspaceFolder | undefined): WorkspaceIdentity {
  if (folder === undefined) return { key: NO_FOLDER_KEY, name: 'No folder' };
  return { key: folderKey(folder.uri.toString()), name: folder.name };
}

/** The open folder with this identity, whose files the tools of its conversations may read. */
export function folderOf(workspace: WorkspaceIdentity): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.find((folder) => identityOf(folder).key === workspace.key);
}

/** Path of the folder when its files may be read; undefined otherwise. */
export function rootOf(folder: vscode.WorkspaceFolder | undefined): string | undefined {
  const described = folder === undefined ? undefined : { scheme: folder.uri.scheme, path: folder.uri.fsPath };
  return readableRoot(described, vscode.workspace.isTrusted);
}
