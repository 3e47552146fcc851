import type { ConversationId } from '../../../protocol/ids';
import type { Clock } from '../../base/clock';
import { WATCH_IDLE_MS, WATCH_MS } from '../../base/limits';
import type { Log } from '../../base/log';
import type { ChangeFeed, FeedChange } from '../../storage/reading/changeFeed';
import { StorageError } from '../../storage/storageError';

/**
 * What became of one conversation since the last look. `changes`: rows of the feed, none for streamed text; `missed`: more
 * than the feed holds. A look comes at regular times, whether anything changed or not: windows die without a word.
 */
export type Look = { readonly kind: 'changes'; readonly changes: readonly FeedChange[] } | { readonly kind: 'missed' };

/** Never rejects. */
export type OnLook = (look: Look) => Promise<void>;

const NOTHING: Look = { kind: 'changes', changes: [] };

/** What is watched: the store, as far as the watch needs it. */
export interface WatchedFile {
  readonly feed: ChangeFeed;
  letGoOfLostFile(): Promise<boolean>;
}

/** Looks at what other windows wrote, for all conversations of this window together, one look at a time. */
export class FileWatch {
  readonly #store: WatchedFile;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #watchers = new Map<ConversationId, Watcher>();
  #cancel: (() => void) | undefined;
  #looking = false;
  #onScreen = false;
  /** Runs that go on in this window: another one may ask for them. */
  #runs = 0;
  #trouble: string | undefined;

  constructor(store: WatchedFile, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log.sub('watch');
  }

  /** Whether a view, tree or list of this window is on screen: then changes show within half a second. */
  set onScreen(onScreen: boolean) {
    const sooner = onScreen && !this.#onScreen;
    this.#onScreen = onScreen;
    if (sooner) this.#schedule(0);
  }

  /** Where the feed of changes stands; undefined: it was not looked at yet. */
  get position(): number | undefined {
    return this.#store.feed.position;
  }

  /**
   * Calls `onLook` at every look until the answer is called, one look at a time. `since`: the {@link position} before the
   * conversation was read; what was looked at between then and now counts as missed.
   */
  watch(id: ConversationId, onLook: OnLook, since = this.position): () => void {
    const watcher = new Watcher(onLook, since === this.position ? NOTHING : { kind: 'missed' });
    this.#watchers.set(id, watcher);
    this.#schedule();
    return () => {
      if (this.#watchers.get(id) === watcher) this.#watchers.delete(id);
    };
  }

  /** A run goes on in this window until the answer is called. */
  running(): () => void {
    this.#runs += 1;
    this.#schedule();
    return () => {
      this.#runs -= 1;
    };
  }

  dispose(): void {
    this.#watchers.clear();
    this.#cancel?.();
  }

  #schedule(ms = this.#onScreen || this.#runs > 0 ? WATCH_MS : WATCH_IDLE_MS): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#looking || this.#watchers.size === 0) return;
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined;
      this.#looking = true;
      void this.#look().finally(() => {
        this.#looking = false;
        this.#schedule();
      });
    });
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    try {
      const lost = await this.#store.letGoOfLostFile();
      const batch = await this.#store.feed.poll();
      const changes = batch.kind === 'changes' ? batch.changes : [];
      // Not awaited: a conversation that is busy must not hold up the others.
      for (const [id, watcher] of this.#watchers) {
        const own = changes.filter((change) => change.conversationId === id);
        watcher.tell(lost || batch.kind === 'missed' ? { kind: 'missed' } : { kind: 'changes', changes: own });
      }
      this.#trouble = undefined;
    } catch (error) {
      const { code } = StorageError.from(error);
      if (code !== this.#trouble) this.#log.warn(`the file cannot be looked at: ${code}`);
      this.#trouble = code;
    }
  }
}

/** One who is told. What comes while it is busy is told together. */
class Watcher {
  readonly #onLook: OnLook;
  #pending: Look;
  #due = false;
  #busy = false;

  constructor(onLook: OnLook, first: Look) {
    this.#onLook = onLook;
    this.#pending = first;
  }

  tell(look: Look): void {
    this.#pending =
      look.kind === 'missed' || this.#pending.kind === 'missed'
        ? { kind: 'missed' }
        : { kind: 'changes', changes: [...this.#pending.changes, ...look.changes] };
    this.#due = true;
    if (!this.#busy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#due) {
      const look = this.#pending;
      this.#due = false;
      this.#pending = NOTHING;
      await this.#onLook(look);
    }
    this.#busy = false;
  }
}
