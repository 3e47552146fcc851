import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runs } from '../disk';
import { again, type Stage } from '../stage';
import { injectIntoAll } from './inject';

/** The files of the history cannot be changed for a while. */
export function makingReadOnly(stage: Stage): Promise<void> {
  let refused = false;
  return again(stage, 'readOnly', stage.pace.readOnly, async (random) => {
    const ms = random.between(300, stage.pace.longestOutageMs);
    const files = databaseFiles(stage);
    if (files.length === 0) return;
    stage.note(`read-only for ${ms} ms`);
    stage.counts.readOnlys += 1;
    const undo = stage.undo.add(() => {
      // One by one: the log of changes may be gone by now.
      for (const file of files) runs('chattr', ['-i', file]);
    });
    if (!refused && files.filter((file) => runs('chattr', ['+i', file])).length > 0) {
      // Who has the files open may write on; a window that is opened now may not.
      const victim = random.pick(stage.fleet.living);
      if (victim !== undefined) {
        stage.note(`kill ${victim.name}, to be opened on a read-only file`);
        stage.fleet.kill(victim);
        stage.counts.kills += 1;
      }
    } else {
      if (!refused) stage.skip('read-only file (chattr is refused here): the driver says SQLITE_READONLY instead');
      refused = true;
      injectIntoAll(stage, 'SQLITE_READONLY', ms);
    }
    await stage.pause(ms);
    undo();
  });
}

function databaseFiles({ disk }: Stage): readonly string[] {
  return (
    readdirSync(disk.folder)
      .filter((name) => name.startsWith('holdfast.db'))
      // Where it lies on a real disk, the kernel kills whoever writes to mapped memory of a file that became immutable.
      .filter((name) => disk.canBeFull || !name.endsWith('-shm'))
      .map((name) => join(disk.folder, name))
  );
}
