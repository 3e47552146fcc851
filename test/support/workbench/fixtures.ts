import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, type TestInfo } from '@playwright/test';
import { newContext, type WorkbenchContext } from './browser';
import { startServer, type VsCodeServer } from './server';
import { startStandIn } from './standIn';
import { ROOT } from './tools';

export { expect } from '@playwright/test';

interface Fixtures {
  /** User settings of the workbench; set them with `test.use({ settings: { … } })`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Where the extension looks for Ollama: the stand-in, unless a spec overrides this fixture with a server of its own. */
  readonly ollamaHost: string;
  /** A copy of the sample folder, this test's own. */
  readonly folder: string;
  /** A VS Code with the packaged extension installed and no data yet. */
  readonly server: VsCodeServer;
  /** The browser context that `page` belongs to, and what it was refused. */
  readonly workbench: WorkbenchContext;
}

/** Playwright's `test` with a VS Code of its own for each test. */
export const test = base.extend<Fixtures>({
  settings: [{}, { option: true }],

  ollamaHost: async ({}, use) => {
    const standIn = await startStandIn();
    await use(standIn.host);
    await standIn.stop();
  },

  folder: async ({}, use, info) => {
    const folder = info.outputPath('sample-folder');
    await cp(join(ROOT, 'test', 'fixtures', 'sample-folder'), folder, { recursive: true });
    await use(folder);
  },

  server: async ({ settings, ollamaHost }, use, info) => {
    const server = await startServer({
      dataDir: info.outputPath('data'),
      settings,
      machineSettings: { 'holdfast.ollama.host': ollamaHost },
      vsix: await packagedExtension(),
    });
    await use(server);
    await server.stop();
    if (failed(info)) await attachLogs(server, info);
    else await rm(server.dataDir, { recursive: true, force: true });
  },

  workbench: async ({ browser, server: _server }, use) => {
    const workbench = await newContext(browser);
    await use(workbench);
    await workbench.context.close();
  },

  context: async ({ workbench }, use) => use(workbench.context),
});

async function packagedExtension(): Promise<string> {
  const name = (await readdir(join(ROOT, 'out'))).find((each) => each.endsWith('.vsix'));
  if (name === undefined) throw new Error('There is no VSIX in out/. Run `npm run package` first, or use `npm test`.');
  return join(ROOT, 'out', name);
}

const failed = (info: TestInfo): boolean => info.status !== info.expectedStatus;

/** Keeps what the extension host and the extension logged. */
async function attachLogs(server: VsCodeServer, info: TestInfo): Promise<void> {
  const logs = join(server.dataDir, 'data', 'logs');
  const names = await readdir(logs, { recursive: true }).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    await info.attach(name.replaceAll(/[\\/]/g, ' '), { path: join(logs, name) });
  }
}
