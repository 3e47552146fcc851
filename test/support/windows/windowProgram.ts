/** A window of the editor in a process of its own, driven by messages of its parent: see `windowProcess.ts`. */
import type { ConversationId } from '../../../src/protocol/ids';
import { Connection } from '../../../src/extension/storage/connection';
import type { Command, WriteOutcome } from '../../../src/extension/storage/change';
import { storageFiles } from '../../../src/extension/storage/files';
import { ask, idle, opened } from './liveTalk';
import { HOST, TestWindow, WORKSPACE } from './openWindow';

const [folder = '', serverUrl] = process.argv.slice(2);

let window: TestWindow | undefined;
let lockHolder: Connection | undefined;

function current(): TestWindow {
  if (window === undefined) throw new Error('the window was not started');
  return window;
}

/** What a parent can ask of the window. All of it travels as messages: arguments and answers are plain data. */
const actions = {
  /** Opens the history. Answers what people would be told if that failed. */
  async start(): Promise<string | undefined> {
    window = new TestWindow(folder, { host: HOST, ...(serverUrl === undefined ? {} : { serverUrl }) });
    return (await window.store.start())?.sentence;
  },

  /** Writes all of it at once, as fast as the store takes it. */
  write(commands: readonly Command[]): Promise<readonly WriteOutcome[]> {
    return Promise.all(commands.map((command) => current().store.write(command)));
  },

  /** Writes one after the other, each when the one before it was answered and a pause (ms) is over. */
  async writeSlowly(commands: readonly Command[], pauseMs: number): Promise<readonly WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    for (const command of commands) {
      outcomes.push(await current().store.write(command));
      await pause(pauseMs);
    }
    return outcomes;
  },

  /** Takes the write lock of the file, on a connection of its own, and keeps it until {@link actions.unlock}. */
  async lock(): Promise<void> {
    lockHolder = await Connection.open(storageFiles(folder).database, 'existing', 10_000);
    await lockHolder.exclusive((statements) => statements.run('BEGIN IMMEDIATE'));
  },

  async unlock(): Promise<void> {
    await lockHolder?.exclusive((statements) => statements.run('COMMIT'));
    await lockHolder?.close();
  },

  /** Sends a message, in a new conversation if none is named, and answers which one when it is accepted. */
  async send(text: string, id?: ConversationId): Promise<ConversationId> {
    const { registry } = current();
    const live = id === undefined ? registry.create(WORKSPACE, undefined) : await opened(registry, id);
    await ask(live, text);
    return live.id;
  },

  /** Resolves when nothing runs in the conversation. */
  async settled(id: ConversationId): Promise<void> {
    await idle(await opened(current().registry, id));
  },

  /** What people were told of writes that failed. */
  told(): Promise<readonly string[]> {
    return Promise.resolve(current().told);
  },

  async close(): Promise<void> {
    await window?.close();
  },
};

export type WindowActions = typeof actions;

export interface ActionCall {
  readonly id: number;
  readonly action: keyof WindowActions;
  readonly args: readonly unknown[];
}

export type ActionAnswer =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: string };

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function answer(message: ActionAnswer | 'ready'): void {
  process.send?.(message);
}

process.on('message', (call: ActionCall) => {
  const { id, action, args } = call;
  const run = actions[action] as (...given: readonly unknown[]) => Promise<unknown>;
  run(...args).then(
    (value) => answer({ id, ok: true, value }),
    (error: unknown) => answer({ id, ok: false, error: error instanceof Error ? String(error.stack) : String(error) }),
  );
});
// A window does not outlive the test that started it.
process.on('disconnect', () => process.exit(0));
answer('ready');
