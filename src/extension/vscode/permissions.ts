import * as vscode from 'vscode';
import type { Rule } from '../../protocol/approval';
import type { WorkspaceIdentity } from '../storage/change';
import type { StoredPermission } from '../storage/rows/permissionRows';
import { StorageError } from '../storage/storageError';
import type { Store } from '../storage/store';
import { currentFolder, identityOf } from './folder';
import { withoutIcons } from './plainLabel';

interface PermissionItem extends vscode.QuickPickItem {
  readonly permission: StoredPermission;
}

const REVOKE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Allow no longer' };

/** Shows what is allowed without asking in the folder, and takes back what the person wants to be asked about again. */
export async function openPermissions(store: Store): Promise<void> {
  const workspace = identityOf(currentFolder());
  const allowed = await readPermissions(store, workspace);
  if (allowed === undefined) return;
  if (allowed.length === 0) {
    void vscode.window.showInformationMessage(`Nothing is allowed from now on in ${workspace.name}: each call asks.`);
    return;
  }
  const pick = vscode.window.createQuickPick<PermissionItem>();
  pick.title = `Permissions in ${workspace.name}`;
  pick.placeholder = 'What the agent may do without asking. The bin takes it back';
  pick.items = allowed.map(itemOf);
  pick.onDidTriggerItemButton(({ item }) => {
    pick.items = pick.items.filter((other) => other !== item);
    if (pick.items.length === 0) pick.hide();
    void revoke(store, workspace, item);
  });
  pick.onDidAccept(() => pick.hide());
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

async function readPermissions(
  store: Store,
  workspace: WorkspaceIdentity,
): Promise<readonly StoredPermission[] | undefined> {
  try {
    return await store.reader.readPermissions(workspace.key);
  } catch (error) {
    void vscode.window.showErrorMessage(`Permissions cannot be read now. ${StorageError.from(error).sentence}`);
    return undefined;
  }
}

async function revoke(store: Store, workspace: WorkspaceIdentity, item: PermissionItem): Promise<void> {
  const { permission, label } = item;
  try {
    await store.revokePermission(permission.id);
    const undo = 'Undo';
    const chosen = await vscode.window.showInformationMessage(`The agent asks again: ${label}.`, undo);
    if (chosen === undo) await grantAgain(store, workspace, permission.rule);
  } catch (error) {
    void vscode.window.showErrorMessage(`${label} is still allowed. ${StorageError.from(error).sentence}`);
  }
}

/** A rule belongs to the folder; it is written by way of any conversation of it. There is one, since one granted it. */
async function grantAgain(store: Store, workspace: WorkspaceIdentity, rule: Rule): Promise<void> {
  const conversationId = await store.reader.newestConversation(workspace.key);
  const change = { type: 'permission_granted', rule } as const;
  if (conversationId !== undefined) await store.write({ conversationId, at: Date.now(), change });
}

function itemOf(permission: StoredPermission): PermissionItem {
  const { label, description } = wordsFor(permission.rule);
  const detail = `Since ${new Date(permission.createdAt).toLocaleDateString(vscode.env.language)}`;
  return { permission, label: withoutIcons(label), description, detail, buttons: [REVOKE] };
}

function wordsFor(rule: Rule): { readonly label: string; readonly description: string } {
  switch (rule.kind) {
    case 'files':
      return rule.pattern === '**'
        ? { label: 'All files in this folder', description: 'edits' }
        : { label: rule.pattern, description: 'edits' };
    case 'program':
      return {
        label: rule.words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
        description: rule.exact ? 'this exact command' : 'with any further arguments',
      };
    case 'tool':
      return { label: rule.tool, description: 'external tool' };
  }
}
