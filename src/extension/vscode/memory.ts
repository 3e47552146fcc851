import type * as vscode from 'vscode';
import { isConversationId, type ConversationId } from '../../protocol/ids';

/** The few things that the editor remembers for us. Nothing here can hide a conversation: losing all of it loses none. */
export class Memory {
  readonly #context: vscode.ExtensionContext;

  constructor(context: vscode.ExtensionContext) {
    this.#context = context;
  }

  /** The conversation that this window showed last. */
  get shown(): ConversationId | undefined {
    const id = this.#context.workspaceState.get<unknown>('shownConversation');
    return typeof id === 'string' && isConversationId(id) ? id : undefined;
  }

  set shown(id: ConversationId) {
    void this.#context.workspaceState.update('shownConversation', id);
  }

  /** Whether the person was told that the history lies on a file system that is not known to be local. */
  get toldOfFileSystem(): boolean {
    return this.#context.globalState.get<unknown>('toldOfFileSystem') === true;
  }

  set toldOfFileSystem(told: boolean) {
    void this.#context.globalState.update('toldOfFileSystem', told);
  }

  /** The model that was chosen last in this profile. */
  get model(): string | undefined {
    const model = this.#context.globalState.get<unknown>('model');
    return typeof model === 'string' ? model : undefined;
  }

  set model(name: string) {
    void this.#context.globalState.update('model', name);
  }
}
