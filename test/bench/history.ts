import { ulid } from 'ulid';
import type { ConversationId } from '../../src/protocol/ids';
import type { Message } from '../../src/protocol/message';
import { silentLog } from '../../src/extension/base/log';
import type { Change } from '../../src/extension/storage/change';
import { Store } from '../../src/extension/storage/store';

const WORKSPACE = { key: 'file:///bench', name: 'bench' };

/** A history file with one conversation that the bench writes, through the store that the product uses. */
export class BenchHistory {
  readonly store: Store;
  readonly conversationId: ConversationId;

  private constructor(store: Store, conversationId: ConversationId) {
    this.store = store;
    this.conversationId = conversationId;
  }

  /** Opens the file in `folder` and adds a conversation to it. */
  static async create(folder: string): Promise<BenchHistory> {
    const history = await BenchHistory.open(folder, ulid() as ConversationId);
    const conversation = { id: history.conversationId, kind: 'chat', title: 'Bench', createdAt: Date.now() } as const;
    await history.write({ type: 'conversation_created', conversation, workspace: WORKSPACE });
    return history;
  }

  /** Opens the file in `folder`, which holds the conversation already. */
  static async open(folder: string, conversationId: ConversationId): Promise<BenchHistory> {
    const store = new Store(folder, 'bench', silentLog);
    const trouble = await store.start();
    if (trouble !== undefined) throw trouble;
    return new BenchHistory(store, conversationId);
  }

  /** Resolves when the change is committed. What is not written must not count as fast: it throws. */
  async write(change: Change, fence?: number): Promise<void> {
    const { conversationId } = this;
    const outcome = await this.store.write({
      conversationId,
      at: Date.now(),
      change,
      ...(fence === undefined ? {} : { fence }),
    });
    if (outcome !== 'written') throw new Error(`${change.type} was ${outcome}`);
  }

  /** The append of the bench: one whole message, up to its commit. */
  async append(message: Message): Promise<void> {
    await this.write({ type: 'message_added', message });
  }

  /** Appends two messages, one after the other, and answers the milliseconds for one of them. */
  async timePair([first, second]: readonly [Message, Message]): Promise<number> {
    const since = performance.now();
    await this.append(first);
    await this.append(second);
    return (performance.now() - since) / 2;
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
