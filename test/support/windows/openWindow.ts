import { systemClock, type Clock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import { ConversationRegistry } from '../../../src/extension/conversations/registry';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import type { WorkspaceIdentity } from '../../../src/extension/storage/change';
import { Store } from '../../../src/extension/storage/store';

/** The machine on which the windows of a test run. */
export const HOST = 'this-machine';
export const WORKSPACE: WorkspaceIdentity = { key: 'file:///w', name: 'w' };
export const MODEL = 'm';

export interface WindowOptions {
  /** Where the models are; nothing answers by default. */
  readonly serverUrl?: string;
  readonly clock?: Clock;
  readonly host?: string;
}

/** What a window of the editor has, without an editor: a store, its conversations and a model, but no tools. */
export class TestWindow {
  readonly store: Store;
  readonly registry: ConversationRegistry;
  /** What people were told of writes that failed. */
  readonly told: string[] = [];

  constructor(folder: string, { serverUrl = 'http://127.0.0.1:9', clock = systemClock, host = HOST }: WindowOptions) {
    this.store = new Store(folder, host, silentLog);
    this.store.onFailureChange(() => {
      const { failure } = this.store;
      if (failure !== undefined) this.told.push(failure.error.sentence);
    });
    const client = new OllamaClient(serverUrl, systemClock, silentLog);
    this.registry = new ConversationRegistry({
      store: this.store,
      clock,
      log: silentLog,
      prepareTurn: () =>
        Promise.resolve({
          client,
          systemPrompt: 'You are a test.',
          contextLength: 4_096,
          tools: {
            definitions: [],
            execute: (name) => Promise.resolve({ ok: false, content: `no ${name}`, summary: '' }),
            malformed: (name) => ({ ok: false, content: `no ${name}`, summary: '' }),
          },
        }),
    });
  }

  async close(): Promise<void> {
    await this.registry.dispose();
    await this.store.close();
  }
}
