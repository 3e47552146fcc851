import driver from '@vscode/sqlite3';
import type { Random } from './random';

/** A person reads none of these words: the product says its own. */
const MESSAGES: Readonly<Record<string, string>> = {
  SQLITE_FULL: 'SQLITE_FULL: database or disk is full',
  SQLITE_READONLY: 'SQLITE_READONLY: attempt to write a readonly database',
  SQLITE_READONLY_DBMOVED: 'SQLITE_READONLY_DBMOVED: attempt to write a readonly database',
  SQLITE_IOERR: 'SQLITE_IOERR: disk I/O error',
  SQLITE_IOERR_WRITE: 'SQLITE_IOERR_WRITE: disk I/O error',
  SQLITE_IOERR_FSYNC: 'SQLITE_IOERR_FSYNC: disk I/O error',
  SQLITE_BUSY_SNAPSHOT: 'SQLITE_BUSY_SNAPSHOT: database is locked',
};

const WRITES = /^\s*(BEGIN IMMEDIATE|INSERT|UPDATE|DELETE|COMMIT|SAVEPOINT)/;

type Callback = (error: Error | null) => void;
type Method = (this: unknown, sql: string, ...rest: unknown[]) => unknown;

/** Makes statements of the driver fail in this process: for faults that the machine does not let us make for real. */
export class InjectedErrors {
  readonly #random: Random;
  #code = '';
  #share = 0;
  #cancel: NodeJS.Timeout | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** From now on; there is no way back. */
  install(): void {
    const prototype = driver.Database.prototype as unknown as Record<string, Method>;
    const answerInstead = (sql: string, rest: readonly unknown[]): boolean => this.#answerInstead(sql, rest);
    for (const name of ['run', 'exec']) {
      const original = prototype[name]!;
      prototype[name] = function (sql, ...rest) {
        return answerInstead(sql, rest) ? this : original.call(this, sql, ...rest);
      };
    }
  }

  /** `share`: how many of the statements that write fail. */
  start(code: string, share: number, ms: number): void {
    clearTimeout(this.#cancel);
    this.#code = code;
    this.#share = share;
    this.#cancel = setTimeout(() => {
      this.#share = 0;
    }, ms);
  }

  #answerInstead(sql: string, rest: readonly unknown[]): boolean {
    const callback = rest.at(-1);
    if (this.#share === 0 || !WRITES.test(sql) || typeof callback !== 'function') return false;
    if (!this.#random.chance(this.#share)) return false;
    const error = Object.assign(new Error(MESSAGES[this.#code] ?? this.#code), { code: this.#code, errno: 1 });
    setImmediate(() => (callback as Callback)(error));
    return true;
  }
}
