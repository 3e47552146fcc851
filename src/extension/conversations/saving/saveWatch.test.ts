import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manualClock';
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

  it('lets everything go on at once that waits for the file when that fails', async () => {
    const [store, clock] = [new FailingStore(), new ManualClock()];
    const watch = new SaveWatch(store, clock, 0, () => undefined);
    watch.follow(write().done, false);
    const gates = [watch.gate(), watch.gate(), watch.gate()];
    store.fail(true);
    expect(await Promise.all(gates)).toEqual([false, false, false]);
    expect(clock.pending).toBe(0);
  });

  it('knows that what the file refused for good is not there', async () => {
    const watch = new SaveWatch(new FailingStore(), systemClock, 0, () => undefined);
    const [taken, refused] = [write(), write()];
    for (const each of [taken, refused]) watch.follow(each.done, false);
    const gate = watch.gate();
    taken.settle('written');
    refused.settle('rejected');
    expect(await gate).toBe(false);
    expect(await watch.gate()).toBe(true);
  });
});
