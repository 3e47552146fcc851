import * as vscode from 'vscode';
import { CHAT_VIEW } from './chatViewId';

/**
 * Brings the focus back to the chat when the person closes the difference that was opened from it, and nothing else is
 * open in the editor: there it would be nowhere.
 */
export function focusBackAfter(modified: vscode.Uri): void {
  const watch = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (!closed.some(({ input }) => showsChange(input, modified))) return;
    watch.dispose();
    // Another editor takes its place, or has it already: the person is at work there.
    if (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) return;
    void vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
  });
}

function showsChange(input: unknown, modified: vscode.Uri): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.toString() === modified.toString();
}
