import { ulid } from 'ulid';
import type { ConversationId } from '../../protocol/ids';
import { pause, systemClock } from '../base/clock';
import { CLOSE_MS, WRITE_RETRY_FIRST_MS } from '../base/limits';
import type { Log } from '../base/log';
import { CommandApplier } from './apply';
import type { Command, WriteOutcome } from './change';
import { Connection } from './connection';
import { makeFolders, storageFiles, type StorageFiles } from './files';
import { isUpToDate, migrate } from './migrate';
import { OwnerLock, removeDeadOwners } from './ownership';
import { Reader } from './reader';
import { recoverAll, recoverConversation, type Recoverer, type RunHolder } from './recovery';
import { StorageError } from './storageError';
import { Writer, type WriteFailure } from './writer';

/** How often a lock on the file is waited for at the start, each time for SQLite's own time-out and a pause. */
const MIGRATE_TRIES = 30;

/** `granted`: this window may run the conversation, under `fence`. `elsewhere`: another window does. */
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
  readonly #writer: Writer;
  readonly #files: StorageFiles;
  readonly #log: Log;
  readonly #owner = ulid();
  readonly #host: string;
  #lock: OwnerLock | undefined;
  #writing: Promise<Connection> | undefined;
  #reading: Promise<Connection> | undefined;
  #closed = false;

  /** `folder` is made when it is missing. `host` names the machine: locks prove nothing across machines. */
  constructor(folder: string, host: string, log: Log) {
    this.#files = storageFiles(folder);
    this.#host = host;
    this.#log = log.sub('store');
    this.#writer = new Writer(
      { connect: () => this.#connectToWrite(), discard: () => this.#discard() },
      new CommandApplier({ owner: this.#owner, host }),
      this.#log,
    );
    this.reader = new Reader(() => this.#connectToRead());
  }

  /** Opens, migrates and recovers. Answers why nothing can be written yet, if so; the store works all the same. */
  async start(): Promise<StorageError | undefined> {
    try {
      const ended = await recoverAll(await this.#connectToWrite(), this.#recoverer);
      if (ended > 0) this.#log.info(`ended ${ended} runs of windows that are gone`);
      void removeDeadOwners(this.#files, this.#owner, Date.now());
      return undefined;
    } catch (error) {
      this.#log.error('opening failed', error);
      return StorageError.from(error);
    }
  }

  /** Queues a change. Settles when it is committed, set aside or fenced; never rejects. */
  write(command: Command): Promise<WriteOutcome> {
    return this.#writer.write(command);
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

  /** Who holds the conversation now; a run whose window is gone is ended first. Throws {@link StorageError}. */
  async holder(id: ConversationId): Promise<RunHolder> {
    return recoverConversation(await this.#connectToWrite(), this.#recoverer, id);
  }

  /** Asks for the run of a stored conversation. On `granted` the caller writes `run_started` with the fence. */
  async claimRun(id: ConversationId): Promise<RunClaim> {
    try {
      if ((await this.holder(id)) === 'elsewhere') return { kind: 'elsewhere' };
      return { kind: 'granted', fence: (await this.reader.lastFence(id)) + 1 };
    } catch (error) {
      return { kind: 'failed', error: StorageError.from(error) };
    }
  }

  /** Writes what waits, if it can be written, moves the log of changes into the file, and lets go of everything. */
  async close(): Promise<void> {
    await this.#writer.drain(CLOSE_MS);
    this.#closed = true;
    this.#writer.close();
    await this.#discard();
    const reading = await this.#reading?.catch(() => undefined);
    await reading?.close();
    await this.#lock?.release();
  }

  /** Changes whenever another window changed the file (this window's own writes do not count). */
  async dataVersion(): Promise<number> {
    const connection = await this.#connectToWrite();
    const row = await connection.exclusive((statements) => statements.get('PRAGMA data_version'));
    return Number(row?.['data_version']);
  }

  /** After a run: moves the log of changes into the file, without waiting for anybody. */
  async checkpoint(): Promise<void> {
    try {
      const connection = await this.#connectToWrite();
      await connection.exclusive((statements) => statements.run('PRAGMA wal_checkpoint(PASSIVE)'));
    } catch (error) {
      this.#log.warn(`checkpoint: ${StorageError.from(error).code}`);
    }
  }

  get #recoverer(): Recoverer {
    return { files: this.#files, owner: this.#owner, host: this.#host };
  }

  async #connectToWrite(): Promise<Connection> {
    // Nothing may open the file again without this window's lock.
    if (this.#closed) throw new StorageError('transient', 'CLOSED', 'the store is closed', 'The window is closing.');
    this.#writing ??= this.#open();
    try {
      return await this.#writing;
    } catch (error) {
      this.#writing = undefined;
      throw error;
    }
  }

  async #connectToRead(): Promise<Connection> {
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
    const now = await Connection.open(this.#files.database, 'existing').catch(() => undefined);
    if (now !== undefined) {
      if (await isUpToDate(now).catch(() => false)) return now;
      await now.close();
    }
    await this.#connectToWrite();
    return Connection.open(this.#files.database, 'existing');
  }

  async #open(): Promise<Connection> {
    await makeFolders(this.#files).catch((error: unknown) => {
      throw new StorageError('transient', 'FOLDER', String(error), 'The folder for the history cannot be made.');
    });
    // Before any row can name this window.
    this.#lock ??= await OwnerLock.take(this.#files, this.#owner);
    const connection = await Connection.open(this.#files.database, 'create');
    try {
      await this.#migrate(connection);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Windows that start together wait for each other here: a lock means "not yet", never "no". */
  async #migrate(connection: Connection): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await migrate(connection);
        return;
      } catch (thrown) {
        const error = StorageError.from(thrown);
        if (error.code !== 'SQLITE_BUSY' || tries >= MIGRATE_TRIES || this.#closed) throw error;
        await pause(systemClock, WRITE_RETRY_FIRST_MS);
      }
    }
  }

  async #discard(): Promise<void> {
    const writing = await this.#writing?.catch(() => undefined);
    this.#writing = undefined;
    await writing?.close();
  }
}
