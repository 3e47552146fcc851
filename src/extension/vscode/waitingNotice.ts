import * as vscode from 'vscode';
import { subjectWords } from '../../protocol/approval';
import type { ConversationId } from '../../protocol/ids';
import type { WaitingCall } from '../conversations/leave/waiting';

/** How many calls wait for leave, at the view's icon; undefined: none does. */
export function waitingBadge(calls: readonly WaitingCall[]): vscode.ViewBadge | undefined {
  const { length: value } = calls;
  if (value === 0) return undefined;
  return { value, tooltip: value === 1 ? '1 approval waits' : `${value} approvals wait` };
}

/** Tells a person who does not see the view that a call waits, once. */
export async function tellOfWaiting(
  { conversationId, title, request }: WaitingCall,
  show: (id: ConversationId) => Promise<void>,
): Promise<void> {
  const name = title === '' ? 'Holdfast' : `“${title}”`;
  const button = 'Show';
  const chosen = await vscode.window.showInformationMessage(
    `${name} waits for you: ${subjectWords(request.subject)}`,
    button,
  );
  if (chosen === button) await show(conversationId);
}
