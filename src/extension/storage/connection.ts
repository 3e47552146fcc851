import { pathToFileURL } from 'node:url';
import type { Database } from '@vscode/sqlite3';
import { BUSY_TIMEOUT_MS } from '../base/limits';
import { SerialQueue } from '../base/serialQueue';
import { StorageError } from './storageError';

/** What SQLite can hold and the driver binds faithfully. */
export type SqlValue = number | string | Uint8Array | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/**
 * `create`: make the file when it is missing. `existing`: never make one. `frozen`: only read a file that nobody can
 * write, without any lock; on a medium that is read-only the files beside it cannot be made.
 */
export type OpenMode = 'create' | 'existing' | 'frozen';

/** Where a writer or reader gets its connection: asked again at every try. */
export interface ConnectionSource {
  /** The open, migrated connection. Throws {@link StorageError}. */
  connect(): Promise<Connection>;
  /** Closes the connection, so that the next {@link connect} opens the file anew. */
  discard(): Promise<void>;
}

/** Statements on a connection that nobody else uses meanwhile. */
export interface Statements {
  exec(sql: string): Promise<void>;
  run(sql: string, values?: readonly SqlValue[]): Promise<void>;
  get(sql: string, values?: readonly SqlValue[]): Promise<SqlRow | undefined>;
  all(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
}

/**
 * One connection of the driver. Its own `serialize` does not order everything (measured), so whatever belongs together
 * runs inside {@link exclusive}, one such block at a time. All failures are {@link StorageError}s.
 */
export class Connection {
  readonly #database: Database;
  readonly #queue = new SerialQueue();

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Throws a {@link StorageError} when the driver does not load or the file cannot be opened. */
  static async open(file: string, mode: OpenMode, busyTimeoutMs = BUSY_TIMEOUT_MS): Promise<Connection> {
    const driver = await loadDriver();
    const access = mode === 'frozen' ? driver.OPEN_READONLY : driver.OPEN_READWRITE;
    const flags = access | driver.OPEN_URI | driver.OPEN_FULLMUTEX | (mode === 'create' ? driver.OPEN_CREATE : 0);
    const name = mode === 'frozen' ? `${pathToFileURL(file).href}?immutable=1` : file;
    const database = await new Promise<Database>((resolve, reject) => {
      const opened: Database = new driver.Database(name, flags, (error) => {
        if (error === null) resolve(opened);
        else reject(StorageError.from(error));
      });
    });
    database.configure('busyTimeout', busyTimeoutMs);
    return new Connection(database);
  }

  /** Runs `task` when everything given before has ended, and nothing else meanwhile. */
  exclusive<T>(task: (statements: Statements) => Promise<T>): Promise<T> {
    return this.#queue.run(() => task(this.#statements));
  }

  /**
   * Runs `task` in one transaction that takes the write lock at its start, and undoes it when `task` throws.
   * For what must be read together, `read` takes a snapshot and no lock.
   */
  transaction<T>(kind: 'write' | 'read', task: (statements: Statements) => Promise<T>): Promise<T> {
    return this.exclusive(async (statements) => {
      await statements.run(kind === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN');
      try {
        const result = await task(statements);
        await statements.run('COMMIT');
        return result;
      } catch (error) {
        // SQLite may have rolled back by itself (full disk, I/O error): then this fails, and nothing is left to undo.
        await statements.run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#queue.run(
      () =>
        new Promise<void>((resolve, reject) => {
          this.#database.close((error) => {
            if (error === null) resolve();
            else reject(StorageError.from(error));
          });
        }),
    );
  }

  readonly #statements: Statements = {
    exec: (sql) =>
      new Promise((resolve, reject) => {
        this.#database.exec(sql, (error) => {
          if (error === null) resolve();
          else reject(StorageError.from(error));
        });
      }),
    run: (sql, values = []) =>
      new Promise((resolve, reject) => {
        this.#database.run(sql, values.map(checked), (error: Error | null) => {
          if (error === null) resolve();
          else reject(StorageError.from(error));
        });
      }),
    get: (sql, values = []) =>
      new Promise((resolve, reject) => {
        this.#database.get(sql, values.map(checked), (error: Error | null, row: SqlRow | undefined) => {
          if (error === null) resolve(row);
          else reject(StorageError.from(error));
        });
      }),
    all: (sql, values = []) =>
      new Promise((resolve, reject) => {
        this.#database.all(sql, values.map(checked), (error: Error | null, rows: readonly SqlRow[]) => {
          if (error === null) resolve(rows);
          else reject(StorageError.from(error));
        });
      }),
  };
}

/** The driver binds bigint, NaN and undefined as NULL without an error (measured): refuse them here. */
function checked(value: SqlValue): SqlValue {
  const good =
    value === null ||
    typeof value === 'string' ||
    value instanceof Uint8Array ||
    (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)));
  if (!good) throw new StorageError('permanent', 'BIND', `cannot bind ${typeof value}`, 'A value cannot be stored.');
  return value;
}

/** Loaded on first use, so that a driver that does not fit this editor costs the history, not the chat. */
async function loadDriver() {
  try {
    return (await import('@vscode/sqlite3')).default;
  } catch (error) {
    throw StorageError.driver(error);
  }
}
