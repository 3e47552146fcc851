import { again, type Stage } from '../stage';

const HOURS = 3_600_000;

/** The clock of one window is set, by hours, forwards or backwards. */
export function settingClocks(stage: Stage): Promise<void> {
  return again(stage, 'clockJump', stage.pace.clockJump, (random) => {
    const victim = random.pick(stage.fleet.living);
    if (victim === undefined) return;
    const ms = random.between(-30 * HOURS, 30 * HOURS);
    stage.note(`set the clock of ${victim.name} by ${(ms / HOURS).toFixed(1)} h`);
    stage.counts.clockJumps += 1;
    victim.child.tell({ kind: 'jump', ms });
  });
}
