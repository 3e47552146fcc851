import * as vscode from 'vscode';
import type { ConversationId } from '../../protocol/ids';

/** Says where a turn is kept that another window's turn left no place for, and opens it if the person wants that. */
export async function tellOfRescue(
  title: string,
  id: ConversationId,
  open: (id: ConversationId) => Promise<void>,
): Promise<void> {
  const show = vscode.l10n.t('Open');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Another window wrote in this conversation while it could not be saved here. What was said here is kept in “{0}”.',
      title,
    ),
    show,
  );
  if (answer === show) await open(id);
}
