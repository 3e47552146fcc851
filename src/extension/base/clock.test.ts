import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manualClock';
import { pause } from './clock';

describe('a pause', () => {
  it('ends after its time, and leaves no listener on the signal', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const paused = pause(clock, 1_000, signal);
    clock.advance(1_000);
    await paused;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends at once when the signal aborts, also before it began, and leaves no timer', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const paused = pause(clock, 1_000, controller.signal);
    controller.abort();
    await paused;
    await pause(clock, 1_000, controller.signal);
    expect(clock.pending).toBe(0);
  });
});
