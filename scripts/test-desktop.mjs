/**
 * `npm run test:desktop`: the integration tests in a desktop VS Code. It is downloaded where that is allowed;
 * `VSCODE_EXECUTABLE` names an installed one instead. It needs a display (on a server: `xvfb-run -a npm run test:desktop`).
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { readArgs } from './lib/args.mjs';
import { fromOut, fromRoot, ROOT } from './lib/paths.mjs';
import { buildSuites, readMochaReport, SUITES } from './lib/runners/mocha.mjs';
import { runMain, say } from './lib/say.mjs';
import { buildStandIn, loadWorkbench } from './lib/support.mjs';
import { setUp } from './setup.mjs';

await runMain(async () => {
  const { grep } = readArgs({ grep: { type: 'string' } }, 'npm run test:desktop -- [--grep TEXT]');
  await setUp(['modules', 'binding']);
  await build();
  await buildSuites();
  const report = fromOut('test', 'desktop.json');
  await mkdir(fromOut('test'), { recursive: true });
  await rm(report, { force: true });
  // A short path: sockets lie in it, and their names have a limit of about 100 characters.
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-'));
  const folder = join(dataDir, 'sample-folder');
  await cp(fromRoot('test', 'fixtures', 'sample-folder'), folder, { recursive: true });
  await buildStandIn();
  const { standIn: standIns } = await loadWorkbench();
  const standIn = await standIns.startStandIn();
  await mkdir(join(dataDir, 'User'));
  await writeFile(join(dataDir, 'User', 'settings.json'), JSON.stringify({ 'holdfast.ollama.host': standIn.host }));
  try {
    const { runTests } = await import('@vscode/test-electron');
    const executable = process.env.VSCODE_EXECUTABLE;
    const code = await runTests({
      ...(executable ? { vscodeExecutablePath: executable } : {}),
      extensionDevelopmentPath: ROOT,
      extensionTestsPath: join(SUITES, 'index.js'),
      extensionTestsEnv: { HOLDFAST_TEST_REPORT: report, HOLDFAST_TEST_GREP: grep },
      launchArgs: [folder, '--disable-extensions', '--user-data-dir', dataDir],
    }).catch((error) => {
      say(`VS Code did not end well: ${error.message}`);
      return 1;
    });
    const { passed, failures } = await readMochaReport(report, code, grep);
    for (const { name, message } of failures) say(`\nFAILED ${name}\n${message}`);
    say(`${passed} passed, ${failures.length} failed`);
    return failures.length === 0 && passed > 0 ? 0 : 1;
  } finally {
    await standIn.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
