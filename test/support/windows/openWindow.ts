import { systemClock, type Clock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import { FileWatch } from '../../../src/extension/conversations/windows/fileWatch';
import type { LiveConversation } from '../../../src/extension/conversations/liveConversation';
import type { LiveServices } from '../../../src/extension/conversations/liveServices';
import { ConversationRegistry } from '../../../src/extension/conversations/registry';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import type { WorkspaceIdentity } from '../../../src/extension/storage/change';
import { Store } from '../../../src/extension/storage/store';
import { listFilesTool } from '../../../src/extension/tools/listFiles';
import { readFileTool } from '../../../src/extension/tools/readFile';
import { ToolRegistry } from '../../../src/extension/tools/registry';
import type { Tool } from '../../../src/extension/tools/tool';
import { testHost } from '../tools/testHost';
import { opened } from './liveTalk';
import { testSettings } from './turnSettings';

/** The machine on which the windows of a test run. */
export const HOST = 'this-machine';
export const WORKSPACE: WorkspaceIdentity = { key: 'file:///w', name: 'w' };

export interface WindowOptions {
  /** Where the models are; nothing answers by default. */
  readonly serverUrl?: string;
  readonly clock?: Clock;
  readonly host?: string;
  /** Window of its models, in tokens. */
  readonly contextLength?: number;
  /** What the folder and the person have to say to its models; nothing by default. */
  readonly background?: string;
  /** What it knows of the windows of models; nothing by default. */
  readonly windowsOf?: LiveServices['windowsOf'];
  /** Tools beside those that list and read. */
  readonly tools?: readonly Tool[];
  /** Whether the person trusts the workspace; yes by default. */
  readonly isTrusted?: () => boolean;
  /** When it looks at what other windows wrote. */
  readonly watchClock?: Clock;
}

/**
 * What a window of the editor has, without an editor: a store, its conversations with a view on screen, a model and the
 * tools that list and read, which work on the history's own folder.
 */
export class TestWindow {
  readonly store: Store;
  readonly watch: FileWatch;
  readonly registry: ConversationRegistry;
  /** What people were told of writes that failed. */
  readonly told: string[] = [];
  /** Conversations that keep what could not be written where it was said. */
  readonly rescued: LiveConversation[] = [];

  constructor(folder: string, options: WindowOptions) {
    const { serverUrl = 'http://127.0.0.1:9', clock = systemClock, host = HOST, watchClock = systemClock } = options;
    this.store = new Store(folder, host, silentLog);
    this.store.onFailureChange(() => {
      const { failure } = this.store;
      if (failure !== undefined) this.told.push(failure.error.sentence);
    });
    this.watch = new FileWatch(this.store, watchClock, silentLog);
    this.watch.onScreen = true;
    const client = new OllamaClient(serverUrl, systemClock, silentLog);
    const tools = new ToolRegistry([readFileTool, listFilesTool, ...(options.tools ?? [])], silentLog);
    const toolHost = testHost(folder);
    this.registry = new ConversationRegistry({
      store: this.store,
      watch: this.watch,
      clock,
      rescued: (fork) => this.rescued.push(fork),
      log: silentLog,
      windowsOf: options.windowsOf ?? (() => ({})),
      isTrusted: options.isTrusted ?? (() => true),
      prepareTurn: () =>
        Promise.resolve(
          testSettings(client, {
            ...(options.contextLength === undefined ? {} : { contextLength: options.contextLength }),
            background: options.background ?? '',
            tools: tools.bound(toolHost),
          }),
        ),
    });
  }

  /** A window whose history could be opened. */
  static async open(folder: string, options: WindowOptions): Promise<TestWindow> {
    const window = new TestWindow(folder, options);
    const error = await window.store.start();
    if (error !== undefined) throw error;
    return window;
  }

  create(): LiveConversation {
    return this.registry.create(WORKSPACE, undefined);
  }

  /** The conversation of another window, as this one has it. */
  see(live: LiveConversation): Promise<LiveConversation> {
    return opened(this.registry, live.id);
  }

  async close(): Promise<void> {
    await this.registry.dispose();
    this.watch.dispose();
    await this.store.close();
  }
}
