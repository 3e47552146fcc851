import { ulid } from 'ulid';
import type { ConversationSummary } from '../../protocol/conversation';
import type { ConversationId } from '../../protocol/ids';
import type { WorkspaceIdentity } from '../storage/change';
import type { RunHolder } from '../storage/runs/recovery';
import { StorageError } from '../storage/storageError';
import { failed, succeeded, type Result } from '../base/result';
import { LiveConversation } from './liveConversation';
import { forked } from './forked';
import type { LiveServices } from './liveServices';
import { ModelRuns } from './turns/modelRuns';
import { WorkspaceRules } from './leave/workspaceRules';

/** What the registry needs of its surroundings. */
export interface RegistryServices extends Omit<LiveServices, 'rescue' | 'runs' | 'rules'> {
  /** A turn that could never be written where it was is kept in this new conversation: the person should know. */
  rescued(fork: LiveConversation): void;
}

/** Why a conversation cannot be opened, with a sentence for the person. */
export interface OpenFailure {
  readonly kind: 'missing' | 'unreadable';
  readonly sentence: string;
}

const MISSING = 'The conversation is not in the history file any more.';

/** The conversations of this window that are in memory. From memory when live, else from the file. */
export class ConversationRegistry {
  readonly #services: LiveServices;
  readonly #runs = new ModelRuns();
  readonly #live = new Map<ConversationId, LiveConversation>();
  readonly #opening = new Map<ConversationId, Promise<LiveConversation | undefined>>();

  constructor(services: RegistryServices) {
    const rescue = (live: LiveConversation, fromSeq: number): void => services.rescued(this.#fork(live, fromSeq));
    const rules = new WorkspaceRules(services.store.reader, services.log.sub('rules'));
    this.#services = { ...services, rescue, rules, runs: this.#runs };
  }

  /**
   * A new conversation, or again the one that was made as `id` and never used. It is written with its first message:
   * what nobody used leaves no trace.
   */
  create(workspace: WorkspaceIdentity, model: string | undefined, id = newId()): LiveConversation {
    const conversation = {
      id,
      kind: 'chat',
      title: '',
      createdAt: this.#services.clock.now(),
      ...(model === undefined ? {} : { model }),
    } as const;
    const page = { messages: [], hasOlder: false };
    return this.#keep(new LiveConversation(this.#services, { conversation, workspace, page }));
  }

  /**
   * A conversation of this window that starts with what is there of another one, wherever that runs. An answer that is
   * being written there is taken as far as it came. It is in the file at once, or as soon as that can be written.
   */
  fork(from: LiveConversation): LiveConversation {
    return this.#fork(from, from.unwrittenFrom);
  }

  #fork(from: LiveConversation, fromSeq: number | undefined): LiveConversation {
    const { fork, opening } = forked(from, newId(), this.#services.clock.now(), fromSeq);
    const live = this.#keep(new LiveConversation(this.#services, fork));
    live.store(opening);
    return live;
  }

  /** The conversation, live or read from the file. Fails with a sentence for the person. */
  async open(id: ConversationId): Promise<Result<LiveConversation, OpenFailure>> {
    try {
      const live = this.#live.get(id) ?? (await this.#load(id));
      return live === undefined ? failed({ kind: 'missing', sentence: MISSING }) : succeeded(live);
    } catch (error) {
      return failed({ kind: 'unreadable', sentence: StorageError.from(error).sentence });
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

  /** How many conversations of this window are at a turn with the model now. */
  runningWith(model: string): number {
    return this.#runs.with(model);
  }

  /** Other windows of models may be known now than before. */
  windowsChanged(): void {
    for (const live of this.#live.values()) live.windowsChanged();
  }

  /** Drops what is in the file anyway. */
  release(live: LiveConversation): void {
    if (!live.isAtRest) return;
    this.#live.delete(live.id);
    void live.dispose();
  }

  async dispose(): Promise<void> {
    // One that cannot end must not keep the others from being written.
    await Promise.allSettled([...this.#live.values()].map((live) => live.dispose()));
  }

  /** Two that ask for the same conversation at the same time get the same one. */
  #load(id: ConversationId): Promise<LiveConversation | undefined> {
    const opening = this.#opening.get(id);
    if (opening !== undefined) return opening;
    const load = this.#read(id).finally(() => this.#opening.delete(id));
    this.#opening.set(id, load);
    return load;
  }

  async #read(id: ConversationId): Promise<LiveConversation | undefined> {
    const { store, watch } = this.#services;
    for (;;) {
      const feedPosition = watch.position;
      const before = await this.#holder(id);
      const stored = await store.reader.readConversation(id);
      if (stored === undefined) return undefined;
      // Asked again: a run may have begun while this was read; and of one that ended meanwhile the end is yet to be read.
      const elsewhere = (await this.#holder(id)) === 'elsewhere';
      if (before === 'elsewhere' && !elsewhere) continue;
      const { conversation, workspace, page, mode, ...facts } = stored;
      const seed = { conversation, workspace, page, mode, stored: { ...facts, elsewhere, feedPosition } };
      return this.#keep(new LiveConversation(this.#services, seed));
    }
  }

  /** A file that can be read but not written keeps nobody from reading: sending will say what is wrong. */
  #holder(id: ConversationId): Promise<RunHolder> {
    return this.#services.store.holder(id).catch(() => 'nobody');
  }

  #keep(live: LiveConversation): LiveConversation {
    this.#live.set(live.id, live);
    return live;
  }
}

function newId(): ConversationId {
  return ulid() as ConversationId;
}
