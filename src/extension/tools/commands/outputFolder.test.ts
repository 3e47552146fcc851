import { mkdtemp, readdir, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runTool } from '../../../../test/support/tools/runTool';
import { testHost } from '../../../../test/support/tools/testHost';
import { COMMAND_NAME_MS } from '../../base/limits';
import { runCommandTool } from '../runCommand';
import { OUTPUT_NAME, outputFolder } from './outputFolder';
import { RunningCommands } from './runningCommands';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outputs-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the folder for what commands print', () => {
  it('is made when it is needed, for nobody else', async () => {
    const made = join(folder, 'storage', 'outputs');
    expect(await outputFolder(made, Date.now())).toBe(made);
    if (process.platform !== 'win32') expect((await stat(made)).mode & 0o077).toBe(0);
  });

  it('loses what dead windows left there, and nothing that is new or is not theirs', async () => {
    const now = Date.now();
    const old = new Date(now - 2 * COMMAND_NAME_MS);
    for (const name of [`${OUTPUT_NAME}old`, 'notes', `${OUTPUT_NAME}new`]) await writeFile(join(folder, name), 'x');
    for (const name of [`${OUTPUT_NAME}old`, 'notes']) await utimes(join(folder, name), old, old);
    await outputFolder(folder, now);
    expect((await readdir(folder)).toSorted()).toEqual([`${OUTPUT_NAME}new`, 'notes']);
  });

  it('is there for the first command of a window, which leaves no name in it', async () => {
    const outputs = join(folder, 'storage', 'outputs');
    const host = testHost(await realpath(folder), { commands: new RunningCommands(outputs) });
    const outcome = await runTool(runCommandTool, { command: 'seq 100000' }, host);
    expect(outcome).toMatchObject({ ok: true, exitCode: 0 });
    expect(await readdir(outputs)).toEqual([]);
    await host.commands.dispose();
  });

  it('is the one of the system where none can be made', async () => {
    await writeFile(join(folder, 'file'), 'x');
    expect(await outputFolder(join(folder, 'file'), Date.now())).toBe(tmpdir());
  });
});
