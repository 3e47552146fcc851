import * as vscode from 'vscode';
import type { ConversationSummary } from '../../protocol/conversation';
import type { ConversationId } from '../../protocol/ids';
import type { ConversationRegistry } from '../conversations/registry';
import { currentFolder, identityOf } from './folder';
import { withoutIcons } from './plainLabel';

interface ConversationItem extends vscode.QuickPickItem {
  readonly id?: ConversationId;
}

/** Lets the person choose one of the folder's conversations, newest first; undefined when they did not. */
export async function pickConversation(registry: ConversationRegistry): Promise<ConversationId | undefined> {
  const workspace = identityOf(currentFolder());
  const list = await registry.list(workspace);
  if (!list.ok) {
    void vscode.window.showErrorMessage(vscode.l10n.t('The history cannot be read now. {0}', list.failure));
    return undefined;
  }
  if (list.value.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No conversation is saved for {0} yet.', workspace.name));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(itemsOf(list.value, workspace.name), {
    title: vscode.l10n.t('Resume Conversation'),
    placeHolder: vscode.l10n.t('Type to filter titles'),
    matchOnDetail: true,
  });
  return picked?.id;
}

function itemsOf(conversations: readonly ConversationSummary[], folder: string): readonly ConversationItem[] {
  const items: ConversationItem[] = [];
  let heading: string | undefined;
  for (const conversation of conversations) {
    const day = dayOf(conversation.updatedAt, folder);
    if (day !== heading) items.push({ label: day, kind: vscode.QuickPickItemKind.Separator });
    heading = day;
    items.push(itemOf(conversation));
  }
  return items;
}

function itemOf(conversation: ConversationSummary): ConversationItem {
  const { messageCount: count } = conversation;
  const messages = count === 1 ? vscode.l10n.t('1 message') : vscode.l10n.t('{0} messages', count);
  const last = conversation.lastUserText;
  return {
    id: conversation.id,
    label: `$(${conversation.running ? 'loading~spin' : 'comment'}) ${withoutIcons(conversation.title)}`,
    description: `${timeOf(conversation.updatedAt)} · ${messages}`,
    ...(last === undefined || last === conversation.title ? {} : { detail: withoutIcons(last) }),
  };
}

function dayOf(time: number, folder: string): string {
  const midnight = new Date();
  midnight.setHours(0, 0, 0, 0);
  if (time >= midnight.getTime()) return vscode.l10n.t('Today');
  midnight.setDate(midnight.getDate() - 1);
  return time >= midnight.getTime() ? vscode.l10n.t('Yesterday') : vscode.l10n.t('Earlier in {0}', folder);
}

function timeOf(time: number): string {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return today
    ? date.toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(vscode.env.language, { day: 'numeric', month: 'short', year: 'numeric' });
}
