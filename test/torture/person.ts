import type { ClientId, ConversationId } from '../../src/protocol/ids';
import type { Reply } from '../../src/protocol/wire';
import type { LiveConversation } from '../../src/extension/conversations/liveConversation';
import type { ConversationRegistry } from '../../src/extension/conversations/registry';
import type { FileState } from '../../src/extension/base/fileVersion';
import type { Change } from '../../src/extension/storage/change';
import type { Store } from '../../src/extension/storage/store';
import { StorageError } from '../../src/extension/storage/storageError';
import { answerRequest, randomAnswers, shownRequest } from './askedPerson';
import { MODELS } from './model';
import { tell } from './pipe';
import type { Random } from './random';
import { takeBack, undoable } from './undoneTurn';
import { cutAnywhere, randomText } from './words';

/** Few, so that windows meet in them. */
const MOST_CONVERSATIONS = 24;
/** Conversations that one person has on screen. */
const MOST_OPEN = 4;

const WORKSPACES = [
  { key: 'file:///torture/one', name: 'one' },
  { key: 'file:///torture/zwei%20%F0%9F%A7%AA', name: 'zwei 🧪' },
];

const HABITS = {
  send: 40,
  open: 14,
  release: 10,
  stop: 9,
  retry: 7,
  chooseModel: 5,
  readOlder: 5,
  sendAgain: 4,
  list: 3,
  newest: 2,
  takeOver: 1,
  sendQueued: 4,
  unqueue: 2,
  draft: 6,
  fork: 1,
  chooseMode: 3,
  allow: 3,
  changeFile: 5,
  answer: 35,
  undo: 4,
  compact: 3,
};

interface OnScreen {
  readonly live: LiveConversation;
  readonly close: () => void;
}

export interface PersonOptions {
  readonly registry: ConversationRegistry;
  readonly store: Store;
  /** Folder of the files that calls change. */
  readonly files: string;
  readonly random: Random;
}

/** Somebody who uses one window, at random and without mercy. */
export class Person {
  readonly #registry: ConversationRegistry;
  readonly #store: Store;
  readonly #files: string;
  readonly #random: Random;
  readonly #open: OnScreen[] = [];
  /** What was last said, for saying it again as a page does that got no answer. */
  #last: { readonly live: LiveConversation; readonly id: ClientId; readonly text: string } | undefined;
  /** Conversations that were listed last: the file holds them. */
  #known: readonly ConversationId[] = [];
  /** Each sentence once. */
  readonly #seen = new Set<string>();

  constructor({ registry, store, files, random }: PersonOptions) {
    this.#registry = registry;
    this.#store = store;
    this.#files = files;
    this.#random = random;
  }

  async act(): Promise<void> {
    const habit = this.#open.length === 0 ? 'open' : this.#random.weighted(HABITS);
    await this.#do(habit);
  }

  async #do(habit: keyof typeof HABITS): Promise<void> {
    const random = this.#random;
    if (habit === 'open') return this.#openOne();
    if (habit === 'list') return void (await this.#list());
    if (habit === 'newest') {
      const newest = await this.#registry.newest(random.pick(WORKSPACES)!);
      if (!newest.ok) this.#shown('newest', newest.failure);
      return;
    }
    if (habit === 'chooseMode' || habit === 'allow' || habit === 'changeFile') return this.#write(habit);
    if (habit === 'answer') return this.#answerIn(this.#open);
    const screen = random.pick(this.#open);
    if (screen === undefined) return;
    const { live } = screen;
    // What waits while nobody runs it would expire: people mostly answer it instead.
    const waits = live.status.owner === 'none' && shownRequest(live) !== undefined;
    if (waits && (habit === 'send' || habit === 'retry') && random.chance(0.8)) return this.#answerIn([screen]);
    switch (habit) {
      case 'send': {
        const id = `${Date.now()}-${random.between(0, 1e9)}` as ClientId;
        const text = this.#question();
        this.#last = { live, id, text };
        return this.#replied('send', live, await live.send(id, text, this.#model()));
      }
      case 'sendAgain':
        if (this.#last === undefined) return;
        return this.#replied(
          'send again',
          this.#last.live,
          await this.#last.live.send(this.#last.id, this.#last.text, this.#model()),
        );
      case 'retry':
        return this.#replied('retry', live, await live.retry(this.#model()));
      case 'stop':
        tell({ kind: 'did', what: 'stop', conversation: live.id });
        return live.stop();
      case 'chooseModel':
        return live.chooseModel(this.#model());
      case 'release':
        this.#open.splice(this.#open.indexOf(screen), 1);
        this.#close(screen);
        return;
      case 'readOlder':
        return this.#readOlder(live);
      case 'takeOver':
        return this.#takeOver(live);
      case 'sendQueued': {
        const queued = random.pick(live.status.queue);
        if (queued === undefined) return;
        return this.#replied('send queued', live, await live.sendQueued(queued.clientId, this.#model()));
      }
      case 'unqueue': {
        const queued = random.pick(live.status.queue);
        return queued === undefined ? undefined : this.#replied('unqueue', live, live.unqueue(queued.clientId));
      }
      case 'undo': {
        const asked = undoable(live, random);
        if (asked === undefined) return;
        const reply = takeBack(live, asked, this.#files, this.#store.reader, random);
        return this.#later(asked.how, live, reply);
      }
      case 'compact':
        return this.#later('compact', live, live.compact(this.#model()));
      case 'draft':
        return live.setDraft({ text: randomText(random, random.between(0, 200)), at: Date.now() });
      case 'fork': {
        if (this.#known.length >= MOST_CONVERSATIONS) return;
        const fork = this.#registry.fork(live);
        tell({ kind: 'did', what: `fork of ${live.id}`, conversation: fork.id });
        return this.#show(fork);
      }
    }
  }

  /** What is nobody's run, and what a call makes of a file: straight to the store, in any conversation of the file. */
  #write(habit: 'chooseMode' | 'allow' | 'changeFile'): void {
    const conversationId = this.#random.pick(this.#known);
    if (conversationId !== undefined)
      void this.#store.write({ conversationId, at: Date.now(), change: this.#change(habit) });
  }

  #change(habit: 'chooseMode' | 'allow' | 'changeFile'): Change {
    const random = this.#random;
    // Each rule and path once: nothing takes the place of another.
    const name = `${randomText(random, 20)}/${Date.now()}-${random.between(0, 1e9)}`;
    switch (habit) {
      case 'chooseMode':
        return { type: 'mode_set', mode: random.chance(0.5) ? 'ask' : 'auto_edit' };
      case 'allow':
        return { type: 'permission_granted', rule: { kind: 'files', pattern: name } };
      case 'changeFile': {
        const place = { seq: random.between(1, 50), idx: random.between(0, 250) };
        const version = { path: `/${name}`, before: this.#file(), after: this.#file() };
        return { type: 'file_version_set', ...place, version, state: random.pick(['proposed', 'applied'] as const)! };
      }
    }
  }

  /** What a file holds, or none. */
  #file(): FileState | undefined {
    const random = this.#random;
    if (random.chance(0.2)) return undefined;
    const length = random.chance(0.1) ? random.between(10_000, 100_000) : random.between(0, 2_000);
    return { bytes: Buffer.from(randomText(random, length)).subarray(0, length), mode: random.between(0, 0o777) };
  }

  /** A conversation of any window, or a new one. */
  async #openOne(): Promise<void> {
    const listed = await this.#list();
    const known = listed.filter((id) => this.#open.every(({ live }) => live.id !== id));
    const full = listed.length >= MOST_CONVERSATIONS;
    const id = full || this.#random.chance(0.7) ? this.#random.pick(known) : undefined;
    if (id === undefined) {
      if (full && this.#open.length > 0) return;
      const live = this.#registry.create(
        this.#random.pick(WORKSPACES)!,
        this.#random.chance(0.5) ? this.#model() : undefined,
      );
      tell({ kind: 'did', what: 'create', conversation: live.id });
      return this.#show(live);
    }
    const opened = await this.#registry.open(id);
    if (opened.ok) this.#show(opened.value);
    else this.#shown(`open ${id}`, opened.failure.sentence);
    tell({ kind: 'did', what: opened.ok ? 'open' : `open: ${opened.failure.kind}`, conversation: id });
  }

  async #list(): Promise<readonly ConversationId[]> {
    const ids: ConversationId[] = [];
    for (const workspace of WORKSPACES) {
      const listed = await this.#registry.list(workspace);
      if (listed.ok) ids.push(...listed.value.map((each) => each.id));
      else this.#shown('list', listed.failure);
    }
    this.#known = ids;
    return ids;
  }

  #show(live: LiveConversation): void {
    const stopListening = live.listen({
      event: () => undefined,
      status: ({ save }) => {
        if (save.kind === 'unsaved' || save.kind === 'rejected') this.#shown(`status of ${live.id}`, save.why);
      },
      replaced: () => undefined,
    });
    this.#open.push({ live, close: stopListening });
    if (this.#open.length <= MOST_OPEN) return;
    this.#close(this.#open.shift()!);
  }

  #close({ live, close }: OnScreen): void {
    // A page speaks only of what it shows.
    if (this.#last?.live === live) this.#last = undefined;
    close();
    this.#registry.release(live);
  }

  async #readOlder(live: LiveConversation): Promise<void> {
    const first = live.transcript.messages[0];
    if (first === undefined) return;
    try {
      await this.#store.reader.readOlderPage(live.id, first.seq);
    } catch (error) {
      this.#shown('older page', StorageError.from(error).sentence);
    }
  }

  async #takeOver(live: LiveConversation): Promise<void> {
    if (live.status.owner !== 'elsewhere') return;
    tell({ kind: 'takeover_asked', conversation: live.id });
    const reply = await live.continueHere();
    tell({ kind: 'takeover_answered', conversation: live.id, ok: reply.ok });
    this.#replied('continue here', live, reply);
  }

  /** Looks through what is on screen for something that waits for leave, and answers it, wherever it runs. */
  #answerIn(screens: readonly OnScreen[]): void {
    const waiting = screens.filter(({ live }) => shownRequest(live) !== undefined);
    const live = this.#random.pick(waiting)?.live;
    const shown = live && shownRequest(live);
    if (live === undefined || shown === undefined) return;
    const answers = randomAnswers(this.#random, shown.request);
    void answerRequest(live, shown, answers, tell).then((replies) => {
      for (const reply of replies) this.#replied('answer', live, reply);
    });
  }

  /** What takes its time: the person does other things meanwhile. */
  #later(what: string, live: LiveConversation, reply: Promise<Reply>): void {
    void reply.then((said) => this.#replied(what, live, said));
  }

  #replied(what: string, live: LiveConversation, reply: Reply): void {
    tell({ kind: 'did', what: reply.ok ? what : `${what}: refused`, conversation: live.id });
    if (!reply.ok) this.#shown(`${what} in ${live.id}`, reply.message);
  }

  #shown(where: string, text: string): void {
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    tell({ kind: 'shown', where, text });
  }

  #model(): string {
    return this.#random.pick(MODELS)!;
  }

  #question(): string {
    const random = this.#random;
    const text = randomText(random, random.chance(0.02) ? random.between(20_000, 200_000) : random.between(1, 400));
    // Half of a pair at the end: what a page sends when a person deletes with a key that knows no pairs.
    return random.chance(0.05) ? `x${cutAnywhere(random, text, text.length)[0]}` : text;
  }
}
