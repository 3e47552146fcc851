import type { CommandTable } from './commands';
import { openInstructions, openMemory } from './contextCommands';
import { chooseExternalTools } from './externalTools';
import { chooseHost, startOllama } from './ollamaHost';
import { openPermissions } from './permissions';
import { pullModel } from './pullModel';
import { pickConversation } from './resumePicker';
import { setServerHeaders } from './serverHeaders';
import type { Services } from './services';
import { openWindowSetting } from './settings';
import { unloadModel } from './unloadModel';

/** What each command does. */
export function commandTable({ chat, conversations, facts, headers, log, server, store }: Services): CommandTable {
  return {
    newConversation: () => chat.newConversation(),
    resumeConversation: async () => {
      const id = await pickConversation(conversations);
      if (id !== undefined) await chat.openConversation(id);
    },
    stop: () => chat.stop(),
    compact: () => chat.compact(),
    chooseMode: () => chat.chooseMode(),
    undoLastFileChanges: () => chat.undoLastFileChanges(),
    openPermissions: () => openPermissions(store),
    chooseExternalTools,
    pullModel: () => pullModel(facts, () => chat.isVisible),
    unloadModel: () => unloadModel(server, facts),
    openWindowSetting,
    setServerHeaders: () => setServerHeaders(headers, () => void facts.ask()),
    chooseHost,
    startOllama,
    openMemory,
    openInstructions,
    showLog: () => log.show(),
  };
}
