import { again, type Stage } from '../stage';

/** A window whose connection fails in the middle of whatever it does: what a machine seldom does when asked. */
export function breakingStatements(stage: Stage): Promise<void> {
  return again(stage, 'diskError', stage.pace.diskError, (random) => {
    const victim = random.pick(stage.fleet.living);
    const code = random.pick(['SQLITE_IOERR', 'SQLITE_READONLY', 'SQLITE_FULL']);
    if (victim === undefined || code === undefined) return;
    stage.note(`statements of ${victim.name} fail with ${code}`);
    stage.counts.diskErrors += 1;
    victim.child.tell({ kind: 'inject', code, share: random.next(), ms: random.between(50, 3_000) });
  });
}
