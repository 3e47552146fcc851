import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { silentLog } from '../../../src/extension/base/log';
import type { Change, WriteOutcome } from '../../../src/extension/storage/change';
import { Connection } from '../../../src/extension/storage/connection';
import { Store } from '../../../src/extension/storage/store';
import type { ConversationId } from '../../../src/protocol/ids';
import type { Message } from '../../../src/protocol/message';

type Rows = readonly Readonly<Record<string, unknown>>[];

/** A folder with a history file and the stores that are open on it, each standing for a window. */
export class StoreFolder {
  readonly path: string;
  #stores: Store[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<StoreFolder> {
    return new StoreFolder(await mkdtemp(join(tmpdir(), 'holdfast-store-')));
  }

  /** A store that could be started. */
  async open(host = 'this-machine'): Promise<Store> {
    const store = this.add(host);
    const error = await store.start();
    if (error !== undefined) throw error;
    return store;
  }

  /** A store that is not started yet. */
  add(host = 'this-machine'): Store {
    const store = new Store(this.path, host, silentLog);
    this.#stores.push(store);
    return store;
  }

  /** Ends a store as a crash does: its lock goes, its rows stay. */
  async crash(store: Store): Promise<void> {
    this.#stores = this.#stores.filter((other) => other !== store);
    await store.close();
  }

  /** Runs SQL on a connection of its own. */
  async sql(text: string): Promise<Rows> {
    const connection = await Connection.open(join(this.path, 'holdfast.db'), 'existing');
    try {
      return await connection.exclusive((statements) => statements.all(text));
    } finally {
      await connection.close();
    }
  }

  /** Runs SQL that leaves what no statement of ours could: the bounds of the schema do not hold. */
  async damage(text: string): Promise<void> {
    const connection = await Connection.open(join(this.path, 'holdfast.db'), 'existing');
    try {
      await connection.exclusive((statements) => statements.exec(`PRAGMA ignore_check_constraints = ON; ${text}`));
    } finally {
      await connection.close();
    }
  }

  async remove(): Promise<void> {
    for (const store of this.#stores) await store.close();
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Writes one change at a fixed time. */
export function write(
  store: Store,
  conversationId: ConversationId,
  change: Change,
  fence?: number,
): Promise<WriteOutcome> {
  return store.write({ conversationId, change, at: 1_000, ...(fence === undefined ? {} : { fence }) });
}

/** A conversation that is in the file. */
export async function createConversation(store: Store, kind: 'chat' | 'sub_agent' = 'chat'): Promise<ConversationId> {
  const id = ulid() as ConversationId;
  const conversation = { id, kind, title: 'Title', createdAt: 1 } as const;
  await write(store, id, { type: 'conversation_created', conversation, workspace: { key: 'file:///w', name: 'w' } });
  return id;
}

/** Begins a run of a conversation and answers its fence. */
export async function startRun(store: Store, id: ConversationId): Promise<number> {
  const claim = await store.claimRun(id);
  if (claim.kind !== 'granted') throw new Error(`claim: ${claim.kind}`);
  const outcome = await write(store, id, { type: 'run_started', fence: claim.fence });
  if (outcome !== 'written') throw new Error(`run_started: ${outcome}`);
  return claim.fence;
}

export function message(seq: number, changes: Partial<Message> = {}): Message {
  return {
    seq,
    role: 'user',
    status: 'done',
    createdAt: 5,
    parts: [{ type: 'text', text: `message ${seq}` }],
    ...changes,
  };
}
