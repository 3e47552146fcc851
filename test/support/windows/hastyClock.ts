import { systemClock, type Clock } from '../../../src/extension/base/clock';

/** For windows that look at the file far more often than they do outside of tests, so that much happens in little time. */
export const hastyClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, then) => systemClock.after(ms / 50, then),
};
