import * as vscode from 'vscode';

/** Every command of the manifest, by the last word of its id. */
export interface CommandTable {
  readonly newConversation: () => Promise<void>;
  readonly resumeConversation: () => Promise<void>;
  readonly stop: () => Promise<void>;
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
