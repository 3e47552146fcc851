import { again, type Stage } from '../stage';

/** SIGSTOP: a window that does nothing, holds whatever it holds, and lives. */
export function freezing(stage: Stage): Promise<void> {
  return again(stage, 'freeze', stage.pace.freeze, async (random) => {
    const victim = random.pick(stage.fleet.living.filter((worker) => !worker.isFrozen));
    if (victim === undefined) return;
    const ms = random.between(20, random.chance(0.1) ? stage.pace.longestFreezeMs : 1_500);
    stage.note(`freeze ${victim.name} for ${ms} ms`);
    stage.fleet.freeze(victim);
    stage.counts.stops += 1;
    await stage.pause(ms);
    stage.fleet.thaw(victim);
  });
}
