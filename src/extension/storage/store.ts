import { ulid } from 'ulid';
import type { ConversationId } from '../../protocol/ids';
import { pause, systemClock, type Clock } from '../base/clock';
import { CLOSE_MS, WRITE_RETRY_FIRST_MS } from '../base/limits';
import type { Log } from '../base/log';
import { CommandApplier } from './writing/apply';
import type { Command, WriteOutcome } from './change';
import { ChangeFeed } from './reading/changeFeed';
import { Checkpointer } from './checkpointer';
import { Connection } from './connection';
import { databaseIdentity, fileFacts, folderFacts, makeFolders, storageFiles, type StorageFiles } from './files';
import { isKnownLocal } from './fileSystem';
import type { JournalKind } from './journal';
import { isUpToDate, migrate } from './migrate';
import { OwnerLock, removeDeadOwners } from './runs/ownership';
import { Reader } from './reading/reader';
import { recoverAll, recoverConversation, type Recoverer, type RunHolder } from './runs/recovery';
import { StorageError } from './storageError';
import { takeOver, takeoverAsked, type Takeover } from './runs/takeover';
import { Writer, type WriteFailure } from './writing/writer';
import { writeTransaction } from './writing/writeTransaction';

/** How often a lock on the file is waited for at the start, each time for SQLite's own time-out and a pause. */
const MIGRATE_TRIES = 30;

/**
 * `granted`: this window may run the conversation, under `fence`. Where calls wait for an answer, the run goes on with
 * them: of several windows that start it one does, the others are fenced. `elsewhere`: another window runs it.
 */
export type RunClaim =
  | { readonly kind: 'granted'; readonly fence: number }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'failed'; readonly error: StorageError };

/**
 * The one owner of the database file in this window. Opening can fail and is tried again with every use, so a window
 * whose disk is away can chat, and writes later.
 */
export class Store {
  readonly reader: Reader;
  /** What other windows changed. */
  readonly feed: ChangeFeed;
  readonly #writer: Writer;
  readonly #checkpointer: Checkpointer;
  readonly #files: StorageFiles;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #host: string;
  #owner = ulid();
  #lock: OwnerLock | undefined;
  #locking: Promise<void> | undefined;
  #isLocal: boolean | undefined;
  #journal: JournalKind | undefined;
  #writing: Promise<Connection> | undefined;
  #reading: Promise<Connection> | undefined;
  /** The file is read as it stood, because nobody could write it. */
  #readsFrozen = false;
  /** Of the file that is open. */
  #identity: string | undefined;
  #closed = false;
  /** Suspended runs, by their fence, that were granted to this window to go on with. */
  readonly #resuming = new Map<ConversationId, number>();

  /** `folder` is made when it is missing. `host` names the machine: locks prove nothing across machines. */
  constructor(folder: string, host: string, log: Log, clock: Clock = systemClock) {
    this.#files = storageFiles(folder);
    this.#host = host;
    this.#log = log.sub('store');
    this.#clock = clock;
    const identity = (): { owner: string; host: string } => ({ owner: this.#owner, host });
    this.#checkpointer = new Checkpointer(() => Connection.open(this.#files.database, 'existing', 0), this.#log);
    this.#writer = new Writer(
      { connect: () => this.#connectToWrite(), discard: () => this.#discard() },
      new CommandApplier(identity),
      () => this.#checkpointer.committed(),
      this.#log,
      clock,
    );
    this.reader = new Reader(
      { connect: () => this.#connectToRead(), discard: () => this.#discard() },
      clock,
      () => this.#owner,
    );
    this.feed = new ChangeFeed(() => this.#connectToWrite());
  }

  /** Opens, migrates and recovers. Answers why nothing can be written yet, if so; the store works all the same. */
  async start(): Promise<StorageError | undefined> {
    try {
      const closed = await recoverAll(await this.#connectToWrite(), this.#recoverer);
      if (closed > 0) this.#log.info(`closed ${closed} runs of windows that are gone`);
      await this.feed.poll(); // What changed before is nothing new to anybody here.
      void this.#removeDeadOwners();
      return undefined;
    } catch (error) {
      this.#log.error('opening failed', error);
      return StorageError.from(error);
    }
  }

  /** How the file keeps its changes; undefined until it could be opened for writing. */
  get journal(): JournalKind | undefined {
    return this.#journal;
  }

  /** Queues a change. Settles when it is committed, set aside or fenced; never rejects. */
  write(command: Command): Promise<WriteOutcome> {
    return this.#writer.write(this.#asGranted(command));
  }

  get failure(): WriteFailure | undefined {
    return this.#writer.failure;
  }

  onFailureChange(listener: () => void): () => void {
    return this.#writer.onFailureChange(listener);
  }

  retryNow(): void {
    this.#writer.retryNow();
  }

  /** Who holds the conversation now; a run whose window is gone is closed first. Throws {@link StorageError}. */
  async holder(id: ConversationId): Promise<RunHolder> {
    return recoverConversation(await this.#connectToWrite(), this.#recoverer, id);
  }

  /**
   * Asks for the run of a stored conversation. On `granted` the caller writes `run_started` with the fence; calls that wait
   * for an answer are its own from then on. Until then nothing has changed.
   */
  async claimRun(id: ConversationId): Promise<RunClaim> {
    this.#resuming.delete(id);
    try {
      if ((await this.holder(id)) === 'elsewhere') return { kind: 'elsewhere' };
      await this.#takeLock();
      const suspended = await this.reader.suspendedFence(id);
      const fence = (await this.reader.lastFence(id)) + 1;
      if (suspended !== undefined) this.#resuming.set(id, suspended);
      return { kind: 'granted', fence };
    } catch (error) {
      return { kind: 'failed', error: StorageError.from(error) };
    }
  }

  /** Takes the conversation over from the window that runs it. Afterwards nobody does. Throws {@link StorageError}. */
  async takeOver(id: ConversationId): Promise<Takeover> {
    // One that is gone is not asked.
    if ((await this.holder(id)) !== 'elsewhere') return 'was_free';
    return takeOver(await this.#connectToWrite(), id, this.#owner, this.#clock);
  }

  /** Allows something no longer, in whichever workspace it was allowed. Throws {@link StorageError}. */
  async revokePermission(id: number): Promise<void> {
    await writeTransaction(await this.#connectToWrite(), (statements) =>
      statements.run(`DELETE FROM permission WHERE id = ?`, [id]),
    );
  }

  /** Whether another window asked for the run that goes on here under `fence`. Throws {@link StorageError}. */
  async takeoverAsked(id: ConversationId, fence: number): Promise<boolean> {
    return takeoverAsked(await this.#connectToWrite(), id, fence);
  }

  /**
   * Notices that the file was removed or replaced under this window: what is written then goes nowhere, though SQLite does
   * not mind. The file at its place is opened, or made, with the next use. Answers whether it was so. Never rejects.
   */
  async letGoOfLostFile(): Promise<boolean> {
    const known = this.#identity;
    if (known === undefined || this.#isLocal !== true) return false;
    const now = await databaseIdentity(this.#files);
    if (now === known || now === 'unknown' || this.#identity !== known) return false;
    this.#log.error('the history file was removed or replaced', new Error(`${known}, now ${now}`));
    this.#identity = undefined;
    await this.#discard();
    return true;
  }

  /** Writes what waits, if it can be written, moves the log of changes into the file, and lets go of everything. */
  async close(): Promise<void> {
    await this.#writer.drain(CLOSE_MS);
    this.#closed = true;
    this.#writer.close();
    await this.#checkpointer.close();
    await this.#discard();
    await this.#lock?.release();
  }

  /** After a run: moves the log of changes into the file, without waiting for anybody. */
  checkpoint(): Promise<void> {
    return this.#checkpointer.run();
  }

  async #removeDeadOwners(): Promise<void> {
    try {
      const removed = await removeDeadOwners(this.#files, this.#owner, this.#clock.now());
      if (removed > 0) this.#log.info(`owner files of windows that are gone: ${removed} removed`);
    } catch (error) {
      this.#log.warn(`owner files of windows that are gone: ${StorageError.from(error).code}`);
    }
  }

  /** A run that was granted with calls that wait takes the place of the one that was suspended for them. */
  #asGranted(command: Command): Command {
    const { conversationId, change } = command;
    const resumes = change.type === 'run_started' ? this.#resuming.get(conversationId) : undefined;
    if (resumes === undefined || change.type !== 'run_started') return command;
    this.#resuming.delete(conversationId);
    return { ...command, change: { ...change, resumes } };
  }

  get #recoverer(): Recoverer {
    return { files: this.#files, owner: this.#owner, host: this.#host, locksHold: this.#isLocal ?? false };
  }

  async #connectToWrite(): Promise<Connection> {
    // Nothing may open the file again without this window's lock.
    if (this.#closed) throw closed();
    this.#writing ??= this.#open();
    try {
      return await this.#writing;
    } catch (error) {
      this.#writing = undefined;
      throw error;
    }
  }

  async #connectToRead(): Promise<Connection> {
    if (this.#closed) throw closed();
    this.#reading ??= this.#openToRead();
    try {
      return await this.#reading;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
  }

  /** A file that is up to date can be read whatever stands in the way of writing it. */
  async #openToRead(): Promise<Connection> {
    const { database } = this.#files;
    const now = (await readable(database, 'existing')) ?? (await this.#frozen());
    if (now !== undefined) return now;
    await this.#connectToWrite();
    const connection = await Connection.open(database, 'existing');
    await forReading(connection);
    return connection;
  }

  /** On a read-only medium nobody writes, so the file can be read without locks, if its log was moved into it. */
  async #frozen(): Promise<Connection | undefined> {
    const facts = await fileFacts(this.#files);
    if (!facts.isReadOnly || !facts.hasNoLog) return undefined;
    const connection = await readable(this.#files.database, 'frozen');
    this.#readsFrozen = connection !== undefined;
    return connection;
  }

  async #open(): Promise<Connection> {
    await makeFolders(this.#files).catch((error: unknown) => {
      throw new StorageError('transient', 'FOLDER', String(error), 'The folder for the history cannot be made.');
    });
    this.#isLocal ??= isKnownLocal(process.platform, await folderFacts(this.#files));
    await this.#takeLock();
    const connection = await Connection.open(this.#files.database, 'create');
    try {
      this.#journal = await this.#migrate(connection, this.#isLocal ? 'wal' : 'rollback');
      this.#identity = await databaseIdentity(this.#files);
      // From now on the file changes under whoever reads it.
      if (this.#readsFrozen) await this.#discardReading();
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Before any row can name this window; again when its file was removed under it. Two at once are one. */
  #takeLock(): Promise<void> {
    this.#locking ??= this.#takeLostLock().finally(() => {
      this.#locking = undefined;
    });
    return this.#locking;
  }

  /** A first lock that was not had belongs to a name that nobody knows: take another. */
  async #takeLostLock(): Promise<void> {
    const held = this.#lock;
    if (held !== undefined && (await held.isSeen())) return;
    try {
      this.#lock = await OwnerLock.take(this.#files, this.#owner);
    } catch (error) {
      if (held === undefined) this.#owner = ulid();
      throw error;
    }
    await held?.letGo();
  }

  /** Windows that start together wait for each other here: a lock means "not yet", never "no". */
  async #migrate(connection: Connection, wanted: JournalKind): Promise<JournalKind> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await migrate(connection, wanted, this.#journal !== undefined);
      } catch (thrown) {
        const error = StorageError.from(thrown);
        if (error.code !== 'SQLITE_BUSY' || tries >= MIGRATE_TRIES || this.#closed) throw error;
        await pause(this.#clock, WRITE_RETRY_FIRST_MS);
      }
    }
  }

  /**
   * Lets go of the whole file: as long as one connection of this process stays open, what SQLite learnt of it stays, too
   * (measured: a memory file that was once read-only is so for ever).
   */
  async #discard(): Promise<void> {
    await Promise.all([this.#discardWriting(), this.#discardReading(), this.#checkpointer.letGo()]);
  }

  async #discardWriting(): Promise<void> {
    const writing = this.#writing;
    this.#writing = undefined;
    await (await writing?.catch(() => undefined))?.close();
  }

  async #discardReading(): Promise<void> {
    const reading = this.#reading;
    this.#reading = undefined;
    this.#readsFrozen = false;
    await (await reading?.catch(() => undefined))?.close();
  }
}

function closed(): StorageError {
  return new StorageError('transient', 'CLOSED', 'the store is closed', 'The window is closing.');
}

/** The connection, if the file can be read through it as it stands. */
async function readable(file: string, mode: 'existing' | 'frozen'): Promise<Connection | undefined> {
  const connection = await Connection.open(file, mode).catch(() => undefined);
  if (connection === undefined) return undefined;
  try {
    if (await isUpToDate(connection)) {
      await forReading(connection);
      return connection;
    }
  } catch {
    // Read it another way.
  }
  await connection.close();
  return undefined;
}

function forReading(connection: Connection): Promise<void> {
  return connection.exclusive((statements) => statements.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;'));
}
