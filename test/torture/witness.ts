import type { Command, WriteOutcome } from '../../src/extension/storage/change';
import type { Store } from '../../src/extension/storage/store';
import type { WorkerLine } from './lines';
import { ackOf } from './print';

/** Stands between the product and its store, and tells the parent what the store promised. */
export class Witness {
  /** Runs whose own row the store has acknowledged. */
  readonly #started = new Set<string>();
  readonly #tell: (line: WorkerLine) => void;
  #unwritten = 0;

  constructor(tell: (line: WorkerLine) => void) {
    this.#tell = tell;
  }

  /** Changes that were handed to the store and have no answer. */
  get unwritten(): number {
    return this.#unwritten;
  }

  /** Its callbacks come before the product's own: what the product knows, the parent was told. */
  watch(store: Store): void {
    const write = store.write.bind(store);
    store.write = (command) => {
      const answer = write(command);
      this.#unwritten += 1;
      // Told before: a window that is killed right after the commit must not leave a message that nobody took out.
      if (command.change.type === 'message_unqueued') this.#tell({ kind: 'ack', ...ackOf(command) });
      void answer.then((outcome) => this.#answered(command, outcome));
      return answer;
    };
  }

  #answered(command: Command, outcome: WriteOutcome): void {
    this.#unwritten -= 1;
    const { conversationId, fence, change } = command;
    if (outcome === 'written') {
      if (change.type === 'run_started') this.#started.add(`${conversationId} ${change.fence}`);
      this.#tell({ kind: 'ack', ...ackOf(command) });
    } else if (outcome === 'rejected') {
      const text = JSON.stringify(command).slice(0, 2_000);
      this.#tell({ kind: 'rejected', conversation: conversationId, type: change.type, command: text });
    } else if (fence !== undefined) {
      const started = this.#started.has(`${conversationId} ${fence}`);
      this.#tell({ kind: 'fenced', conversation: conversationId, type: change.type, fence, started });
    }
  }
}
