import type { Log } from '../base/log';
import type { Connection } from './connection';
import { StorageError } from './storageError';

/** Commits after which the log of changes is moved into the file. */
const COMMITS_BETWEEN = 128;

/**
 * Moves the log of changes into the file on a connection of its own, never waiting for anybody: the sync that this takes
 * would otherwise hold up whichever write happens to come then.
 */
export class Checkpointer {
  readonly #open: () => Promise<Connection>;
  readonly #log: Log;
  #connection: Promise<Connection> | undefined;
  #commits = 0;
  #running: Promise<void> | undefined;
  #closed = false;

  /** `open` answers a connection that waits for no lock. */
  constructor(open: () => Promise<Connection>, log: Log) {
    this.#open = open;
    this.#log = log;
  }

  /** This window committed something. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits >= COMMITS_BETWEEN) void this.run();
  }

  /** Moves what can be moved now. Never rejects; two at once are one. */
  run(): Promise<void> {
    this.#commits = 0;
    if (this.#closed) return Promise.resolve();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Closes its connection; the next run opens the file anew. */
  async letGo(): Promise<void> {
    await this.#running;
    await this.#forget();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.letGo();
  }

  async #run(): Promise<void> {
    try {
      this.#connection ??= this.#open();
      const connection = await this.#connection;
      await connection.exclusive((statements) => statements.run('PRAGMA wal_checkpoint(PASSIVE)'));
    } catch (error) {
      this.#log.warn(`checkpoint: ${StorageError.from(error).code}`);
      await this.#forget();
    }
  }

  /** Two may let go at once: each closes what it took, for the driver refuses to close a connection twice. */
  async #forget(): Promise<void> {
    const opening = this.#connection;
    this.#connection = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }
}
