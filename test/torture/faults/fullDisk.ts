import { injectIntoAll } from './inject';
import { again, type Stage } from '../stage';

/** No byte left on the disk of the history for a while. */
export function fillingTheDisk(stage: Stage): Promise<void> {
  if (!stage.disk.canBeFull)
    stage.skip('full disk (mounting a small disk is refused here): the driver says SQLITE_FULL instead');
  return again(stage, 'fullDisk', stage.pace.fullDisk, async (random) => {
    const ms = random.between(300, stage.pace.longestOutageMs);
    stage.note(`full disk for ${ms} ms`);
    stage.counts.fullDisks += 1;
    if (!stage.disk.canBeFull) {
      injectIntoAll(stage, 'SQLITE_FULL', ms);
      return stage.pause(ms);
    }
    const empty = stage.disk.fill(stage.undo);
    await stage.pause(ms);
    empty();
  });
}
