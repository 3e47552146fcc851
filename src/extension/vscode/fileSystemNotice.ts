import * as vscode from 'vscode';
import type { Store } from '../storage/store';
import type { Memory } from './memory';

/** Says once, for all windows, that the history is kept the slow and careful way, and why. */
export function tellOfFileSystem(store: Store, memory: Memory): void {
  if (store.journal !== 'rollback' || memory.toldOfFileSystem) return;
  memory.toldOfFileSystem = true;
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The history of Holdfast lies on a network drive, or on one that is not known to be local. It is written more slowly there, so that it cannot be damaged. A conversation that another window left behind is taken over with “Continue here”.',
    ),
  );
}
