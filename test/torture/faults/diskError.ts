import { again, type Stage } from '../stage';

/** Extended ones, too: they are what the driver says when something really breaks. */
const CODES = [
  'SQLITE_IOERR',
  'SQLITE_IOERR_WRITE',
  'SQLITE_IOERR_FSYNC',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_READONLY',
  'SQLITE_READONLY_DBMOVED',
  'SQLITE_FULL',
];

/** A window whose connection fails in the middle of whatever it does: what a machine seldom does when asked. */
export function breakingStatements(stage: Stage): Promise<void> {
  return again(stage, 'diskError', stage.pace.diskError, (random) => {
    const victim = random.pick(stage.fleet.living);
    const code = random.pick(CODES);
    if (victim === undefined || code === undefined) return;
    stage.note(`statements of ${victim.name} fail with ${code}`);
    stage.counts.diskErrors += 1;
    victim.child.tell({ kind: 'inject', code, share: random.next(), ms: random.between(50, 3_000) });
  });
}
