import { systemClock } from '../../src/extension/base/clock';
import type { Log } from '../../src/extension/base/log';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import { ConversationRegistry } from '../../src/extension/conversations/registry';
import { FileWatch } from '../../src/extension/conversations/windows/fileWatch';
import type { ModelClient } from '../../src/extension/ollama/modelClient';
import { Store } from '../../src/extension/storage/store';
import type { WorkerLine } from './lines';
import type { Random } from './random';
import { tortureTools } from './tools';
import { Witness } from './witness';

export interface TortureWindowOptions {
  /** Folder of the history file. */
  readonly folder: string;
  /** Folder of the files that calls change. */
  readonly files: string;
  readonly log: Log;
  readonly random: (of: string) => Random;
  /** The model of the `turn`th turn of this window, counted from 1. */
  readonly model: (turn: number) => ModelClient;
  readonly tell: (line: WorkerLine) => void;
}

/** A window without the editor: store, registry and live conversations as the product has them. */
export interface TortureWindow {
  readonly store: Store;
  readonly registry: ConversationRegistry;
  readonly witness: Witness;
  /** Lets everything go that goes on. */
  close(): Promise<void>;
}

/** Opens a window whose file is not read yet: that is what `store.start` does. */
export function tortureWindow({ folder, files, log, random, model, tell }: TortureWindowOptions): TortureWindow {
  const store = new Store(folder, 'the-machine', log);
  const witness = new Witness(tell);
  witness.watch(store);
  const watch = new FileWatch(store, systemClock, log);
  watch.onScreen = true;
  let turns = 0;
  const registry = new ConversationRegistry({
    store,
    watch,
    clock: systemClock,
    rescued: (fork: LiveConversation) => tell({ kind: 'did', what: 'rescued', conversation: fork.id }),
    log,
    windowsOf: () => ({}),
    isTrusted: () => true,
    prepareTurn: ({ conversationId }) => {
      turns += 1;
      return Promise.resolve({
        client: model(turns),
        systemPrompt: 'You are being tortured.',
        background: '',
        vision: false,
        contextLength: 8_192,
        tools: tortureTools({
          random: random(`tools ${turns}`),
          conversation: conversationId,
          files,
          effect: (call) => tell({ kind: 'effect', ...call }),
        }),
      });
    },
  });
  return {
    store,
    registry,
    witness,
    close: async () => {
      await registry.dispose();
      watch.dispose();
      await store.close();
    },
  };
}
