import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../base/log';
import { Checkpointer } from './checkpointer';
import { Connection } from './connection';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-checkpointer-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the checkpointer', () => {
  // Writer, reader and the look at a lost file can each let go of the file, and none waits for the others.
  it('lets go of its connection once when it is told twice at once', async () => {
    const checkpointer = new Checkpointer(() => Connection.open(join(folder, 'a.db'), 'create', 0), silentLog);
    await checkpointer.run();
    await expect(Promise.all([checkpointer.letGo(), checkpointer.letGo()])).resolves.toBeDefined();
  });
});
