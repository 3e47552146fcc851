/**
 * `npm run fixture`: writes a small history with this build to `test/fixtures/history/vN.db`, where N is the version of
 * the file. Run it once, with the migration that makes a new version; a fixture that is committed is not made again.
 */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot } from './lib/paths.mjs';
import { runMain, say, Trouble } from './lib/say.mjs';
import { loadHistory } from './lib/support.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  await setUp(['modules', 'binding']);
  const { writeFixtureHistory } = await loadHistory();
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-fixture-'));
  try {
    const version = await writeFixtureHistory(folder);
    const name = `test/fixtures/history/v${version}.db`;
    if (existsSync(fromRoot(name))) {
      throw new Trouble(
        `${name} is there already: it shows what builds of that version wrote. Remove it to make it anew.`,
      );
    }
    await mkdir(fromRoot('test/fixtures/history'), { recursive: true });
    await copyFile(join(folder, 'holdfast.db'), fromRoot(name));
    say(`Wrote ${name}.`);
  } finally {
    await rm(folder, { recursive: true });
  }
});
