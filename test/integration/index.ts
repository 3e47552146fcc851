import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/**
 * Runs every suite of this folder inside the extension host; VS Code calls it, here and on the desktop.
 *
 * What it was asked for comes in the environment, and the report goes into a file: the exit code of the host proves
 * nothing (one that dies in the middle reports success), and its output is mixed with the workbench's own.
 */
export async function run(): Promise<void> {
  const { HOLDFAST_TEST_REPORT: output, HOLDFAST_TEST_GREP: text } = process.env;
  if (!output) throw new Error('HOLDFAST_TEST_REPORT must name the file for the report. Use `npm test`.');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 20_000,
    forbidOnly: true,
    reporter: 'json',
    reporterOptions: { output },
    ...(text ? { grep: new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'i') } : {}),
  });
  for (const name of readdirSync(__dirname)) if (name.endsWith('.test.js')) mocha.addFile(join(__dirname, name));
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} failed`);
}
