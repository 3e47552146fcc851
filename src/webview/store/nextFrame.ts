import { FRAME_FALLBACK_MS } from '../limits';

/** Runs `task` once, at the next paint, or a little later when nothing is painted (a covered window). */
export function nextFrame(task: () => void): void {
  let done = false;
  const run = (): void => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    task();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, FRAME_FALLBACK_MS);
}
