import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { systemClock } from './base/clock';
import { FileWatch } from './conversations/fileWatch';
import { ConversationRegistry } from './conversations/registry';
import { WindowFactsWatch } from './conversations/windowFacts';
import { Store } from './storage/store';
import { listFilesTool } from './tools/listFiles';
import { readFileTool } from './tools/readFile';
import { ripgrepPath } from './tools/ripgrep';
import { searchTextTool } from './tools/searchText';
import { CHAT_VIEW, ChatView } from './vscode/chatView';
import { registerCommands } from './vscode/commands';
import { tellOfFileSystem } from './vscode/fileSystemNotice';
import { openInstructions, openMemory } from './vscode/contextCommands';
import { ContextFiles } from './vscode/contextFiles';
import { currentFolder } from './vscode/folder';
import { Memory } from './vscode/memory';
import { ModelServer } from './vscode/modelServer';
import { chooseHost, startOllama } from './vscode/ollamaHost';
import { openLog } from './vscode/outputLog';
import { PageMessenger } from './vscode/pageMessenger';
import { tellOfRescue } from './vscode/rescueNotice';
import { pickConversation } from './vscode/resumePicker';
import { onSettingsChange } from './vscode/settings';
import { turnSettings } from './vscode/turnSettings';

let close = async (): Promise<void> => undefined;

/** The parts that tests in the extension host look into. */
export interface HoldfastApi {
  readonly conversations: ConversationRegistry;
}

/** Builds the services in order and registers what the manifest promises. */
export function activate(context: vscode.ExtensionContext): HoldfastApi {
  const log = openLog();
  const clock = systemClock;
  const memory = new Memory(context);
  const store = new Store(context.globalStorageUri.fsPath, hostname(), log);
  const server = new ModelServer(log);
  const tools = [readFileTool, listFilesTool, searchTextTool];
  const files = new ContextFiles(clock, log);
  const ripgrep = ripgrepPath(context.extensionPath);
  const watch = new FileWatch(store, clock, log);
  const conversations = new ConversationRegistry({
    store,
    watch,
    clock,
    log,
    rescued: ({ id, transcript }) =>
      void tellOfRescue(transcript.conversation.title, id, (rescued) => chat.openConversation(rescued)),
    prepareTurn: (model, workspace, signal, messages) =>
      turnSettings(model, workspace, { server, tools, context: files, ripgrep, log }, signal, messages),
  });
  const facts = new WindowFactsWatch(
    {
      folder: () => currentFolder()?.name,
      remote: () => vscode.env.remoteName,
      server: () => server.current(),
      lastModel: () => memory.model,
      remember: (model) => {
        memory.model = model;
      },
    },
    clock,
  );
  const chat = new ChatView(
    context.extensionUri,
    { store, clock, facts, watch },
    conversations,
    memory,
    new PageMessenger(log),
  );
  close = async () => {
    await conversations.dispose();
    watch.dispose();
    await store.close();
  };
  context.subscriptions.push(
    log,
    facts,
    vscode.window.registerWebviewViewProvider(CHAT_VIEW, chat),
    onSettingsChange(() => facts.refresh()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => facts.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => facts.refresh()),
    registerCommands({
      newConversation: () => chat.newConversation(),
      resumeConversation: async () => {
        const id = await pickConversation(conversations);
        if (id !== undefined) await chat.openConversation(id);
      },
      stop: () => chat.stop(),
      chooseHost,
      startOllama,
      openMemory,
      openInstructions,
      showLog: () => log.show(),
    }),
  );
  void store.start().then(() => tellOfFileSystem(store, memory));
  return { conversations };
}

/** Ends what goes on as interrupted and writes what waits. The editor gives this a few seconds. */
export async function deactivate(): Promise<void> {
  await close();
}
