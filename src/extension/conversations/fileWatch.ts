import type { ConversationId } from '../../protocol/ids';
import type { Clock } from '../base/clock';
import { WATCH_IDLE_MS, WATCH_MS } from '../base/limits';
import type { Log } from '../base/log';
import type { ChangeFeed, FeedChange } from '../storage/changeFeed';
import { StorageError } from '../storage/storageError';

/**
 * What became of one conversation since the last look. `changes`: rows of the feed, none for streamed text; `missed`: more
 * than the feed holds. A look comes at regular times, whether anything changed or not: windows die without a word.
 */
export type Look = { readonly kind: 'changes'; readonly changes: readonly FeedChange[] } | { readonly kind: 'missed' };

export type OnLook = (look: Look) => Promise<void>;

const NOTHING: Look = { kind: 'changes', changes: [] };

/** Looks at what other windows wrote, for all conversations of this window together, one look at a time. */
export class FileWatch {
  readonly #feed: ChangeFeed;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #watchers = new Map<ConversationId, OnLook>();
  #cancel: (() => void) | undefined;
  #looking = false;
  #onScreen = false;
  /** Runs that go on in this window: another one may ask for them. */
  #runs = 0;
  #trouble: string | undefined;

  constructor(feed: ChangeFeed, clock: Clock, log: Log) {
    this.#feed = feed;
    this.#clock = clock;
    this.#log = log.sub('watch');
  }

  /** Whether a view, tree or list of this window is on screen: then changes show within half a second. */
  set onScreen(onScreen: boolean) {
    const sooner = onScreen && !this.#onScreen;
    this.#onScreen = onScreen;
    if (sooner) this.#schedule(0);
  }

  /** Calls `onLook` at every look until the answer is called. */
  watch(id: ConversationId, onLook: OnLook): () => void {
    this.#watchers.set(id, onLook);
    this.#schedule();
    return () => {
      if (this.#watchers.get(id) === onLook) this.#watchers.delete(id);
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
      const batch = await this.#feed.poll();
      const changes = batch.kind === 'changes' ? batch.changes : [];
      for (const [id, onLook] of this.#watchers) {
        const own = changes.filter((change) => change.conversationId === id);
        const look: Look =
          batch.kind === 'missed' ? batch : own.length === 0 ? NOTHING : { kind: 'changes', changes: own };
        await onLook(look);
      }
      this.#trouble = undefined;
    } catch (error) {
      const { code } = StorageError.from(error);
      if (code !== this.#trouble) this.#log.warn(`the file cannot be looked at: ${code}`);
      this.#trouble = code;
    }
  }
}
