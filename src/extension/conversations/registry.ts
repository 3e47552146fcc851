import { ulid } from 'ulid';
import type { ConversationSummary } from '../../protocol/conversation';
import type { ConversationId } from '../../protocol/ids';
import type { WorkspaceIdentity } from '../storage/change';
import { StorageError } from '../storage/storageError';
import { failed, succeeded, type Result } from '../base/result';
import { LiveConversation, type LiveServices } from './liveConversation';

/** The conversations of this window that are in memory. From memory when live, else from the file. */
export class ConversationRegistry {
  readonly #services: LiveServices;
  readonly #live = new Map<ConversationId, LiveConversation>();
  readonly #opening = new Map<ConversationId, Promise<LiveConversation | undefined>>();

  constructor(services: LiveServices) {
    this.#services = services;
  }

  /** A new conversation. It is written with its first message: what nobody used leaves no trace. */
  create(workspace: WorkspaceIdentity, model: string | undefined): LiveConversation {
    const id = ulid() as ConversationId;
    const conversation = {
      id,
      kind: 'chat',
      title: '',
      createdAt: this.#services.clock.now(),
      ...(model === undefined ? {} : { model }),
    } as const;
    const page = { messages: [], hasOlder: false };
    return this.#keep(
      new LiveConversation(this.#services, {
        conversation,
        workspace,
        page,
        stored: false,
        lastFence: 0,
        elsewhere: false,
      }),
    );
  }

  /** The conversation, live or read from the file. Fails with a sentence for the person. */
  async open(id: ConversationId, workspace: WorkspaceIdentity): Promise<Result<LiveConversation, string>> {
    try {
      const live = this.#live.get(id) ?? (await this.#load(id, workspace));
      return live === undefined ? failed('The conversation is not in the history file any more.') : succeeded(live);
    } catch (error) {
      return failed(StorageError.from(error).sentence);
    }
  }

  /** Conversations of a folder, newest first. Fails with a sentence for the person. */
  async list(workspace: WorkspaceIdentity): Promise<Result<readonly ConversationSummary[], string>> {
    try {
      return succeeded(await this.#services.store.reader.listConversations(workspace.key));
    } catch (error) {
      return failed(StorageError.from(error).sentence);
    }
  }

  /** The conversation of the folder that was used last, if there is one. Fails with a sentence for the person. */
  async newest(workspace: WorkspaceIdentity): Promise<Result<ConversationId | undefined, string>> {
    try {
      return succeeded(await this.#services.store.reader.newestConversation(workspace.key));
    } catch (error) {
      return failed(StorageError.from(error).sentence);
    }
  }

  /** Drops what is in the file anyway. */
  release(live: LiveConversation): void {
    if (!live.isAtRest) return;
    this.#live.delete(live.id);
    void live.dispose();
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#live.values()].map((live) => live.dispose()));
  }

  /** Two that ask for the same conversation at the same time get the same one. */
  #load(id: ConversationId, workspace: WorkspaceIdentity): Promise<LiveConversation | undefined> {
    const opening = this.#opening.get(id);
    if (opening !== undefined) return opening;
    const load = this.#read(id, workspace).finally(() => this.#opening.delete(id));
    this.#opening.set(id, load);
    return load;
  }

  async #read(id: ConversationId, workspace: WorkspaceIdentity): Promise<LiveConversation | undefined> {
    const { store } = this.#services;
    const holder = await store.holder(id);
    const stored = await store.reader.readConversation(id);
    if (stored === undefined) return undefined;
    const { conversation, page, lastFence } = stored;
    return this.#keep(
      new LiveConversation(this.#services, {
        conversation,
        workspace,
        page,
        stored: true,
        lastFence,
        elsewhere: holder === 'elsewhere',
      }),
    );
  }

  #keep(live: LiveConversation): LiveConversation {
    this.#live.set(live.id, live);
    return live;
  }
}
