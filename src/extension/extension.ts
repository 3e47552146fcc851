import * as vscode from 'vscode';
import type { ConversationRegistry } from './conversations/registry';
import { CHAT_VIEW } from './vscode/chatViewId';
import { registerCommands } from './vscode/commands';
import { commandTable } from './vscode/commandTable';
import { tellOfFileSystem } from './vscode/fileSystemNotice';
import { buildServices } from './vscode/services';
import { onSettingsChange } from './vscode/settings';

let close = async (): Promise<void> => undefined;

/** The parts that tests in the extension host look into. */
export interface HoldfastApi {
  readonly conversations: ConversationRegistry;
}

/** Builds the services in order and registers what the manifest promises. */
export function activate(context: vscode.ExtensionContext): HoldfastApi {
  const services = buildServices(context);
  const { log, facts, chat, conversations, watch, store, memory, sessions, documents } = services;
  close = async () => {
    await Promise.all([conversations.dispose(), sessions.dispose()]);
    watch.dispose();
    await store.close();
  };
  context.subscriptions.push(
    log,
    facts,
    chat,
    documents.register(),
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, chat),
    onSettingsChange(() => facts.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => facts.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => facts.refresh()),
    registerCommands(commandTable(services)),
  );
  void store.start().then(() => tellOfFileSystem(store, memory));
  return { conversations };
}

/** Ends what goes on as interrupted and writes what waits. The editor gives this a few seconds. */
export async function deactivate(): Promise<void> {
  await close();
}
