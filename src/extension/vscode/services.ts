import { hostname, totalmem } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { FileWatch } from '../conversations/windows/fileWatch';
import { ConversationRegistry } from '../conversations/registry';
import { partOf } from '../conversations/saving/storedPart';
import { ToolSessions } from '../conversations/turns/toolSessions';
import { WindowFactsWatch } from '../conversations/facts/windowFacts';
import { Store } from '../storage/store';
import { diagnosticsTool } from '../tools/diagnostics';
import { editFileTool } from '../tools/editFile';
import { findFilesTool } from '../tools/findFiles';
import { listFilesTool } from '../tools/listFiles';
import { readCommandTool } from '../tools/readCommand';
import { readFileTool } from '../tools/readFile';
import { rememberTool } from '../tools/remember';
import { ripgrepPath } from '../tools/ripgrep';
import { runCommandTool } from '../tools/runCommand';
import { searchTextTool } from '../tools/searchText';
import { sendInputTool } from '../tools/sendInput';
import { stopCommandTool } from '../tools/stopCommand';
import { todoTool } from '../tools/todo';
import type { Tool } from '../tools/tool';
import { writeFileTool } from '../tools/writeFile';
import { ChangeDocuments } from './changeDocuments';
import { ChatView } from './chatView';
import { ContextFiles } from './contextFiles';
import { ExternalTools } from './externalTools';
import { findOffers } from './findOffers';
import { currentFolder } from './folder';
import { Memory } from './memory';
import { ModelServer } from './modelServer';
import { openLog, type ShownLog } from './outputLog';
import { PageMessenger } from './pageMessenger';
import { tellOfRescue } from './rescueNotice';
import { ServerHeaders } from './serverHeaders';
import { setOllamaHost } from './settings';
import { turnSettings } from './turnSettings';

/** What an agent can do in a folder. */
const TOOLS: readonly Tool[] = [
  readFileTool,
  listFilesTool,
  findFilesTool,
  searchTextTool,
  diagnosticsTool,
  editFileTool,
  writeFileTool,
  runCommandTool,
  readCommandTool,
  sendInputTool,
  stopCommandTool,
  todoTool,
  rememberTool,
];

/** Everything that lives as long as the window. */
export interface Services {
  readonly log: ShownLog;
  readonly memory: Memory;
  readonly store: Store;
  readonly headers: ServerHeaders;
  readonly server: ModelServer;
  readonly watch: FileWatch;
  readonly conversations: ConversationRegistry;
  readonly facts: WindowFactsWatch;
  readonly chat: ChatView;
  readonly sessions: ToolSessions;
  readonly documents: ChangeDocuments;
}

/** Builds the services, each from those before it. */
export function buildServices(context: vscode.ExtensionContext): Services {
  const log = openLog();
  const clock = systemClock;
  const memory = new Memory(context);
  const store = new Store(context.globalStorageUri.fsPath, hostname(), log);
  const headers = new ServerHeaders(context.secrets);
  const server = new ModelServer(headers, log);
  const watch = new FileWatch(store, clock, log);
  const conversations: ConversationRegistry = new ConversationRegistry({
    store,
    watch,
    clock,
    log,
    rescued: ({ id, transcript }) =>
      void tellOfRescue(transcript.conversation.title, id, (rescued) => chat.openConversation(rescued)),
    windowsOf: (model) => server.windowsOf(model),
    isTrusted: () => vscode.workspace.isTrusted,
    prepareTurn: (turn, signal) => {
      // What goes on in a conversation that is not shown may come to wait for the person, too.
      void conversations.open(turn.conversationId).then((live) => (live.ok ? chat.follow(live.value) : undefined));
      return turnSettings(turn, turns, signal);
    },
  });
  const sessions = new ToolSessions(path.join(context.globalStorageUri.fsPath, 'outputs'));
  const turns = {
    server,
    tools: TOOLS,
    external: new ExternalTools(log),
    sessions,
    ownFolders: [context.globalStorageUri.fsPath, context.extensionPath],
    context: new ContextFiles(clock, log),
    ripgrep: ripgrepPath(context.extensionPath),
    log,
    isAlone: (model: string) => conversations.runningWith(model) <= 1,
  };
  const facts = factsOf(server, memory);
  facts.listen(({ server: state }) => {
    server.learn(state);
    conversations.windowsChanged();
  });
  const chat = new ChatView(
    context.extensionUri,
    { store, clock, facts, watch },
    conversations,
    memory,
    new PageMessenger(log),
  );
  const documents = new ChangeDocuments(store.reader, async ({ conversationId, seq, idx }) => {
    const live = await conversations.open(conversationId);
    return live.ok ? partOf(live.value, store.reader, seq, idx) : undefined;
  });
  return { log, memory, store, headers, server, watch, conversations, facts, chat, sessions, documents };
}

function factsOf(server: ModelServer, memory: Memory): WindowFactsWatch {
  return new WindowFactsWatch(
    {
      folder: () => currentFolder()?.name,
      remote: () => vscode.env.remoteName,
      memory: () => totalmem(),
      server: () => server.current(),
      offers: (signal) => findOffers(server, signal),
      useHost: setOllamaHost,
      lastModel: () => memory.model,
      remember: (model) => {
        memory.model = model;
      },
    },
    systemClock,
  );
}
