import { pause, type Clock } from '../../base/clock';
import {
  WRITE_BATCH_CHARS,
  WRITE_BATCH_COMMANDS,
  WRITE_RETRY_FIRST_MS,
  WRITE_RETRY_LONGEST_MS,
} from '../../base/limits';
import type { Log } from '../../base/log';
import type { CommandApplier } from './apply';
import type { Command, WriteOutcome } from '../change';
import { sizeOf } from './commandSize';
import type { Connection, ConnectionSource, Statements } from '../connection';
import { rejectedJson } from './rejectedJson';
import { StorageError } from '../storageError';
import { supersededBy } from './superseded';
import { writeTransaction } from './writeTransaction';

/** Why nothing is written now. `since` (epoch ms) is when the first write failed. */
export interface WriteFailure {
  readonly since: number;
  readonly error: StorageError;
}

/** Codes after which the connection itself is still good. After others the file may have changed under it. */
const CONNECTION_STAYS: ReadonlySet<string> = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_FULL']);

interface Waiting {
  readonly command: Command;
  readonly settle: (outcome: WriteOutcome) => void;
}

/**
 * One FIFO per window: whatever queued while the last commit ran goes into the next transaction. A write that fails for
 * a passing reason keeps its place and is tried again for ever; one that can never succeed is set aside in `rejected`.
 * The promise of {@link write} never rejects; it settles when the change is committed, set aside or fenced.
 */
export class Writer {
  readonly #source: ConnectionSource;
  readonly #applier: CommandApplier;
  readonly #committed: () => void;
  readonly #clock: Clock;
  readonly #log: Log;
  #waiting: Waiting[] = [];
  /** How many of the first ones are being written now. */
  #trying = 0;
  #connection: Connection | undefined;
  #busy = false;
  #closed = false;
  #failure: WriteFailure | undefined;
  #pauseMs = WRITE_RETRY_FIRST_MS;
  #cancelPause: (() => void) | undefined;
  readonly #onFailureChange = new Set<() => void>();
  /** Called once when nothing waits or nothing can be written. */
  #onRest: (() => void)[] = [];

  /** `committed` is called after each commit. */
  constructor(source: ConnectionSource, applier: CommandApplier, committed: () => void, log: Log, clock: Clock) {
    this.#committed = committed;
    this.#source = source;
    this.#applier = applier;
    this.#log = log;
    this.#clock = clock;
  }

  get failure(): WriteFailure | undefined {
    return this.#failure;
  }

  /** Calls `listener` whenever {@link failure} comes or goes. The answer ends it. */
  onFailureChange(listener: () => void): () => void {
    this.#onFailureChange.add(listener);
    return () => this.#onFailureChange.delete(listener);
  }

  write(command: Command): Promise<WriteOutcome> {
    return new Promise((settle) => {
      const item = this.#failure === undefined ? { command, settle } : this.#insteadOfOlder({ command, settle });
      this.#waiting.push(item);
      this.#start();
    });
  }

  /** A disk may stay away for hours: what waits is no more than what must be written. The rest settles with `next`. */
  #insteadOfOlder(next: Waiting): Waiting {
    const tail = this.#waiting.slice(this.#trying);
    const needless = supersededBy(
      next.command,
      tail.map(({ command }) => command),
    );
    if (needless.size === 0) return next;
    const dropped = tail.filter((_, place) => needless.has(place));
    this.#waiting = [...this.#waiting.slice(0, this.#trying), ...tail.filter((_, place) => !needless.has(place))];
    return {
      command: next.command,
      settle: (outcome) => {
        for (const { settle } of [...dropped, next]) settle(outcome);
      },
    };
  }

  /** Tries what waits now, instead of at the end of the pause. */
  retryNow(): void {
    this.#pauseMs = WRITE_RETRY_FIRST_MS;
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#start();
  }

  /** Tries until nothing waits any more, for `ms` at most. The clock on the wall may jump meanwhile. */
  async drain(ms: number): Promise<void> {
    let over = false;
    let cancel = (): void => undefined;
    const end = new Promise<void>((resolve) => {
      cancel = this.#clock.after(ms, () => {
        over = true;
        resolve();
      });
    });
    while (this.#waiting.length > 0 && !over) {
      this.retryNow();
      await Promise.race([new Promise<void>((resolve) => this.#onRest.push(resolve)), end]);
      if (this.#failure !== undefined) await pause(this.#clock, WRITE_RETRY_FIRST_MS);
    }
    cancel();
  }

  close(): void {
    this.#closed = true;
    this.#cancelPause?.();
  }

  #start(): void {
    if (this.#busy || this.#closed || this.#cancelPause !== undefined || this.#waiting.length === 0) return;
    this.#busy = true;
    void this.#run().finally(() => {
      this.#busy = false;
      this.#start();
    });
  }

  async #run(): Promise<void> {
    const batch = this.#nextBatch();
    this.#trying = batch.length;
    try {
      const connection = await this.#source.connect();
      // Another file may stand at its place: keys learnt from the one before mean nothing there.
      if (connection !== this.#connection) this.#applier.forget();
      this.#connection = connection;
      const outcomes = await this.#commit(connection, batch);
      this.#waiting.splice(0, batch.length);
      this.#committed();
      this.#recovered();
      for (const [index, item] of batch.entries()) item.settle(outcomes[index] ?? 'written');
    } catch (thrown) {
      const error = StorageError.from(thrown);
      this.#applier.forget();
      if (!CONNECTION_STAYS.has(error.code)) await this.#source.discard();
      this.#failed(error);
    }
    this.#trying = 0;
    if (this.#waiting.length === 0 || this.#failure !== undefined) {
      for (const rested of this.#onRest.splice(0)) rested();
    }
  }

  /** All of the batch in one transaction; if one command can never succeed, again with each on its own footing. */
  async #commit(connection: Connection, batch: readonly Waiting[]): Promise<readonly WriteOutcome[]> {
    const [first, second] = batch;
    if (first !== undefined && second === undefined) {
      const outcome = await this.#applier.applyAlone(connection, first.command);
      if (outcome === 'fenced') this.#logFenced(first.command);
      if (outcome !== undefined) return [outcome];
    }
    try {
      return await writeTransaction(connection, (statements) =>
        this.#inOrder(statements, batch, (command) => this.#apply(statements, command)),
      );
    } catch (error) {
      if (StorageError.from(error).kind !== 'permanent') throw error;
      this.#applier.forget();
      return writeTransaction(connection, (statements) =>
        this.#inOrder(statements, batch, (command) => this.#applyOrSetAside(statements, command)),
      );
    }
  }

  async #inOrder(
    statements: Statements,
    batch: readonly Waiting[],
    apply: (command: Command) => Promise<WriteOutcome>,
  ): Promise<readonly WriteOutcome[]> {
    const outcomes: WriteOutcome[] = [];
    for (const { command } of batch) outcomes.push(await apply(command));
    await this.#applier.finish(statements);
    return outcomes;
  }

  async #apply(statements: Statements, command: Command): Promise<WriteOutcome> {
    const outcome = await this.#applier.apply(statements, command);
    if (outcome === 'fenced') this.#logFenced(command);
    return outcome;
  }

  #logFenced({ change, conversationId }: Command): void {
    this.#log.warn(`fenced: ${change.type} of ${conversationId}`);
  }

  async #applyOrSetAside(statements: Statements, command: Command): Promise<WriteOutcome> {
    await statements.run('SAVEPOINT one');
    try {
      const outcome = await this.#apply(statements, command);
      await statements.run('RELEASE one');
      return outcome;
    } catch (thrown) {
      const error = StorageError.from(thrown);
      if (error.kind !== 'permanent') throw error;
      this.#log.error(`set aside: ${command.change.type} of ${command.conversationId}`, error);
      await statements.run('ROLLBACK TO one');
      await statements.run('RELEASE one');
      this.#applier.undone();
      await statements.run('INSERT INTO rejected (at, error, change, conversation) VALUES (?, ?, ?, ?)', [
        command.at,
        `${error.code}: ${error.message}`,
        rejectedJson(command),
        command.conversationId,
      ]);
      return 'rejected';
    }
  }

  #nextBatch(): readonly Waiting[] {
    const batch: Waiting[] = [];
    let chars = 0;
    for (const item of this.#waiting) {
      chars += sizeOf(item.command);
      if (batch.length > 0 && (batch.length >= WRITE_BATCH_COMMANDS || chars > WRITE_BATCH_CHARS)) break;
      batch.push(item);
    }
    return batch;
  }

  #failed(error: StorageError): void {
    if (this.#failure?.error.code !== error.code) this.#log.error('writing failed', error);
    this.#failure = { since: this.#failure?.since ?? this.#clock.now(), error };
    this.#cancelPause = this.#clock.after(this.#pauseMs, () => {
      this.#cancelPause = undefined;
      this.#start();
    });
    this.#pauseMs = Math.min(this.#pauseMs * 2, WRITE_RETRY_LONGEST_MS);
    for (const listener of this.#onFailureChange) listener();
  }

  #recovered(): void {
    this.#pauseMs = WRITE_RETRY_FIRST_MS;
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#log.info('writing works again');
    for (const listener of this.#onFailureChange) listener();
  }
}
