import { again, type Stage } from '../stage';

/** SIGKILL, at any moment of a window's life, frozen or not. */
export function killing(stage: Stage): Promise<void> {
  return again(stage, 'kill', stage.pace.kill, (random) => {
    const victim = random.pick(stage.fleet.living);
    if (victim === undefined) return;
    stage.note(`kill ${victim.name}`);
    stage.fleet.kill(victim);
    stage.counts.kills += 1;
  });
}
