import driver from '@vscode/sqlite3';

const WRITES = /^\s*(BEGIN IMMEDIATE|INSERT|UPDATE|DELETE|COMMIT|SAVEPOINT)/;
const METHODS = ['run', 'exec'] as const;

type Method = (this: unknown, ...given: readonly unknown[]) => unknown;
type Callback = (error: Error) => void;

/** Makes statements fail that write a history file, in every window of this process, until it is disposed. */
export class FailingStatements {
  readonly #folder: string;
  readonly #originals: Readonly<Record<string, unknown>>;
  #code: string | undefined;
  #refused: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
    const { prototype } = driver.Database;
    const [run, exec] = METHODS.map((name) => Reflect.get(prototype, name) as Method);
    this.#originals = { run, exec };
    const errorFor = (file: unknown, sql: unknown, values: unknown): Error | undefined =>
      this.#errorFor(file, sql, values);
    for (const name of METHODS) {
      const original = Reflect.get(prototype, name) as Method;
      const failing = function (this: object, ...given: readonly unknown[]): unknown {
        const error = errorFor(Reflect.get(this, 'filename'), given[0], given[1]);
        const callback = given.at(-1);
        if (error === undefined || !isCallback(callback)) return Reflect.apply(original, this, given);
        setImmediate(() => callback(error));
        return this;
      };
      Object.assign(prototype, { [name]: failing });
    }
  }

  /** Every write fails with the code, until {@link work}. */
  fail(code: string): void {
    this.#code = code;
  }

  /** Every write that holds these words breaks a constraint, until {@link work}. */
  refuse(words: string): void {
    this.#refused = words;
  }

  work(): void {
    this.#code = undefined;
    this.#refused = undefined;
  }

  get isFailing(): boolean {
    return this.#code !== undefined;
  }

  dispose(): void {
    Object.assign(driver.Database.prototype, this.#originals);
  }

  #errorFor(file: unknown, sql: unknown, values: unknown): Error | undefined {
    if (typeof file !== 'string' || !file.startsWith(this.#folder) || file.includes('owners')) return undefined;
    if (typeof sql !== 'string' || !WRITES.test(sql)) return undefined;
    const code = this.#code ?? (this.#isRefused(sql, values) ? 'SQLITE_CONSTRAINT' : undefined);
    return code === undefined ? undefined : Object.assign(new Error(`${code}: constraint failed`), { code });
  }

  #isRefused(sql: string, values: unknown): boolean {
    const words = this.#refused;
    if (words === undefined || sql.startsWith('INSERT INTO rejected') || !Array.isArray(values)) return false;
    return values.some((value) => typeof value === 'string' && value.includes(words));
  }
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}
