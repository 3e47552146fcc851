import { again, type Stage } from '../stage';

/** A window is closed while turns go on in it, calls wait for leave, and changes of files are taken back. */
export function closingWindows(stage: Stage): Promise<void> {
  return again(stage, 'close', stage.pace.close, (random) => {
    const leaver = random.pick(stage.fleet.living.filter(({ isLeaving }) => !isLeaving));
    if (leaver === undefined) return;
    stage.note(`close ${leaver.name}`);
    stage.fleet.leave(leaver);
    stage.counts.closes += 1;
  });
}
