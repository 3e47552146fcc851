import type { ClientId } from '../../../src/protocol/ids';
import { messageWord } from '../../../src/protocol/message';
import { systemClock, type Clock } from '../../../src/extension/base/clock';
import { silentLog } from '../../../src/extension/base/log';
import { FileWatch } from '../../../src/extension/conversations/fileWatch';
import type { LiveConversation } from '../../../src/extension/conversations/liveConversation';
import { ConversationRegistry } from '../../../src/extension/conversations/registry';
import { OllamaClient } from '../../../src/extension/ollama/ollamaClient';
import { Store } from '../../../src/extension/storage/store';
import { listFilesTool } from '../../../src/extension/tools/listFiles';
import { readFileTool } from '../../../src/extension/tools/readFile';
import { ToolRegistry } from '../../../src/extension/tools/registry';

/** The workspace that the conversations of tests belong to. */
export const WORKSPACE = { key: 'file:///w', name: 'w' };

/**
 * A window of the editor without the editor: the store, the watch and the conversations of one process, over a real
 * history file and a real client.
 */
export class TestWindow {
  readonly store: Store;
  readonly watch: FileWatch;
  readonly registry: ConversationRegistry;

  private constructor(folder: string, serverUrl: string, clock: Clock) {
    this.store = new Store(folder, 'this-machine', silentLog, clock);
    this.watch = new FileWatch(this.store.feed, clock, silentLog);
    this.watch.onScreen = true;
    const client = new OllamaClient(serverUrl, systemClock, silentLog);
    const tools = new ToolRegistry([readFileTool, listFilesTool], silentLog);
    const host = { root: folder, ripgrepPath: '' };
    this.registry = new ConversationRegistry({
      store: this.store,
      watch: this.watch,
      clock,
      log: silentLog,
      prepareTurn: () =>
        Promise.resolve({
          client,
          systemPrompt: 'You are a test.',
          contextLength: 4_096,
          tools: {
            definitions: tools.definitions(),
            execute: (name, args, signal) => tools.execute(name, args, host, signal),
            malformed: (name, written) => tools.malformed(name, written),
          },
        }),
    });
  }

  /** A window over the history in `folder`, whose models answer at `serverUrl`. */
  static async open(folder: string, serverUrl: string, clock = systemClock): Promise<TestWindow> {
    const window = new TestWindow(folder, serverUrl, clock);
    await window.store.start();
    return window;
  }

  create(): LiveConversation {
    return this.registry.create(WORKSPACE, undefined);
  }

  /** The conversation of another window, as this one has it. */
  async see(live: LiveConversation): Promise<LiveConversation> {
    const opened = await this.registry.open(live.id);
    if (!opened.ok) throw new Error(opened.failure.sentence);
    return opened.value;
  }

  async close(): Promise<void> {
    await this.registry.dispose();
    this.watch.dispose();
    await this.store.close();
  }
}

/** Sends a message, which must be taken. */
export async function ask(live: LiveConversation, text: string, clientId = text): Promise<void> {
  const reply = await live.send(clientId as ClientId, text, 'm');
  if (!reply.ok) throw new Error(reply.message);
}

/** Resolves when the condition holds; it is looked at whenever something happens to the conversation. */
export function until(live: LiveConversation, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (condition()) return resolve();
    const look = (): void => {
      if (!condition()) return;
      stop();
      resolve();
    };
    const stop = live.listen({ event: look, status: look, replaced: look });
  });
}

export const idle = (live: LiveConversation): Promise<void> => until(live, () => live.status.run.kind === 'idle');

/** Each message in a line: who, how it ended, and its text. */
export function said(live: LiveConversation): readonly string[] {
  return live.transcript.messages.map((message) => {
    const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    return `${message.role}, ${messageWord(message)}: ${text}`;
  });
}
