import * as vscode from 'vscode';

/** Every command of the manifest, by the last word of its id. */
export interface CommandTable {
  readonly newConversation: () => Promise<void>;
  readonly resumeConversation: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly compact: () => Promise<void>;
  readonly chooseMode: () => Promise<void>;
  readonly undoLastFileChanges: () => Promise<void>;
  readonly openPermissions: () => Promise<void>;
  readonly chooseExternalTools: () => Promise<void>;
  readonly pullModel: () => Promise<void>;
  readonly unloadModel: () => Promise<void>;
  readonly openWindowSetting: () => Promise<void>;
  readonly setServerHeaders: () => Promise<void>;
  readonly chooseHost: () => Promise<void>;
  readonly startOllama: () => void;
  readonly openMemory: () => Promise<void>;
  readonly openInstructions: () => Promise<void>;
  readonly showLog: () => void;
}

/** Registers the table; the answer unregisters it. */
export function registerCommands(table: CommandTable): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(table).map(([name, run]) => vscode.commands.registerCommand(`holdfast.${name}`, run)),
  );
}
