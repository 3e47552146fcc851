import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change } from '../../../src/extension/storage/change';
import type { Store } from '../../../src/extension/storage/store';

/** So long that whatever does not wait for a commit comes before it. */
const TURNS = 10;

/** A store that answers late: what was asked of it, and not answered yet, is known. */
export class SlowCommits {
  readonly #waiting = new Set<Change>();

  constructor(store: Pick<Store, 'write'>) {
    const write = store.write.bind(store);
    store.write = async (command) => {
      this.#waiting.add(command.change);
      const outcome = await write(command);
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
      this.#waiting.delete(command.change);
      return outcome;
    };
  }

  /** The kinds of changes that are not answered yet, oldest first. */
  get waiting(): readonly Change['type'][] {
    return [...this.#waiting].map(({ type }) => type);
  }
}
