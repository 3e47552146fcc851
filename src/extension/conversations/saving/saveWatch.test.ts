import { describe, expect, it } from 'vitest';
import { systemClock } from '../../base/clock';
import type { WriteOutcome } from '../../storage/change';
import { StorageError } from '../../storage/storageError';
import type { WriteFailure } from '../../storage/writing/writer';
import { SaveWatch } from './saveWatch';

/** A store that fails when it is told to. */
class FailingStore {
  failure: WriteFailure | undefined;
  #listener: () => void = () => undefined;

  onFailureChange(listener: () => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  fail(failing: boolean): void {
    const error = StorageError.from(Object.assign(new Error('full'), { code: 'SQLITE_FULL' }));
    this.failure = failing ? { since: 5, error } : undefined;
    this.#listener();
  }
}

function write(): { readonly done: Promise<WriteOutcome>; readonly settle: (outcome: WriteOutcome) => void } {
  let settle: (outcome: WriteOutcome) => void = () => undefined;
  const done = new Promise<WriteOutcome>((resolve) => {
    settle = resolve;
  });
  return { done, settle };
}

describe('the save state of a conversation', () => {
  it('is unsaved while something waits that cannot be written, and counts messages, not writes', async () => {
    const store = new FailingStore();
    const watch = new SaveWatch(store, systemClock, 0, () => undefined);
    const writes = [write(), write(), write()];
    for (const [index, each] of writes.entries()) watch.follow(each.done, index < 2);
    expect(watch.state).toEqual({ kind: 'saving' });
    store.fail(true);
    expect(watch.state).toEqual({ kind: 'unsaved', since: 5, waiting: 2, why: 'The disk is full.' });
    await watch.gate(); // Does not wait: a failing disk must not stop the chat.
    store.fail(false);
    for (const each of writes) each.settle('written');
    await Promise.all(writes.map((each) => each.done));
    expect(watch.state).toEqual({ kind: 'saved' });
  });

  it('says for ever that changes were refused', async () => {
    const watch = new SaveWatch(new FailingStore(), systemClock, 0, () => undefined);
    const refused = write();
    watch.follow(refused.done, true);
    refused.settle('rejected');
    await refused.done;
    expect(watch.state).toMatchObject({ kind: 'rejected', count: 1 });
  });
});
