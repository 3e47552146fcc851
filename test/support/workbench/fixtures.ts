import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test as base, type Page, type TestInfo } from '@playwright/test';
import { OllamaServer } from '../ollama/ollamaServer';
import { newContext, type WorkbenchContext } from './browser';
import { ChatPanel, openChat } from './chatPanel';
import { startServer, type VsCodeServer } from './server';
import { ROOT } from './tools';
import { openWorkbench } from './workbench';

export { expect } from '@playwright/test';

/** The model that the scripted server has. */
export const MODEL = 'scripted:1b';

interface TestFixtures {
  /** A server of models, this test's own, whose answers the test writes. */
  readonly ollama: OllamaServer;
  /** The chat, showing a new conversation. */
  readonly panel: ChatPanel;
}

/** Shared by the tests of a worker: starting these anew for each test would take most of the time. */
interface WorkerFixtures {
  /** Where the extension looks for Ollama. */
  readonly ollamaPort: number;
  /** A VS Code with the packaged extension installed. */
  readonly server: VsCodeServer;
  /** The browser context of every page, and what it could not reach. */
  readonly workbench: WorkbenchContext;
  /** A copy of the sample folder. */
  readonly folder: string;
  /** A window on the folder, with the chat open. */
  readonly window: Page;
}

/** Playwright's `test` in a real VS Code. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  ollamaPort: [
    async ({}, use) => {
      const probe = await OllamaServer.start();
      const port = Number(new URL(probe.url).port);
      await probe.close();
      await use(port);
    },
    { scope: 'worker' },
  ],

  server: [
    async ({ ollamaPort }, use, info) => {
      const server = await startServer({
        dataDir: join(info.project.outputDir, `worker-${info.workerIndex}`, 'data'),
        home: join(info.project.outputDir, `worker-${info.workerIndex}`, 'home'),
        machineSettings: { 'holdfast.ollama.host': `127.0.0.1:${ollamaPort}` },
        vsix: await packagedExtension(),
      });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],

  workbench: [
    async ({ browser, server: _server }, use) => {
      const workbench = await newContext(browser);
      await use(workbench);
      await workbench.context.close();
    },
    { scope: 'worker' },
  ],

  folder: [
    async ({}, use, info) => {
      const folder = join(info.project.outputDir, `worker-${info.workerIndex}`, 'sample-folder');
      await cp(join(ROOT, 'test', 'fixtures', 'sample-folder'), folder, { recursive: true });
      await use(folder);
    },
    { scope: 'worker' },
  ],

  window: [
    async ({ workbench, server, folder }, use) => {
      const page = await workbench.context.newPage();
      await openWorkbench(page, server, folder);
      await openChat(page);
      await use(page);
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  context: async ({ workbench }, use) => use(workbench.context),

  page: async ({ window }, use) => use(window),

  ollama: async ({ ollamaPort }, use) => {
    const model = { name: MODEL, capabilities: ['completion', 'tools', 'thinking'] };
    const ollama = await OllamaServer.start({ port: ollamaPort, models: [model] });
    await use(ollama);
    await ollama.close();
  },

  panel: async ({ window, context, server, ollama: _answers }, use, info) => {
    const panel = new ChatPanel(window);
    await panel.startAnew();
    await use(panel);
    if (info.status !== info.expectedStatus) await keepEvidence(context.pages(), server, info);
    for (const page of context.pages()) if (page !== window) await page.close();
  },
});

async function packagedExtension(): Promise<string> {
  const name = (await readdir(join(ROOT, 'out'))).find((each) => each.endsWith('.vsix'));
  if (name === undefined) throw new Error('There is no VSIX in out/. Run `npm run package` first, or use `npm test`.');
  return join(ROOT, 'out', name);
}

/** What a failed test looked like, and what the extension hosts and the extension logged so far. */
async function keepEvidence(pages: readonly Page[], server: VsCodeServer, info: TestInfo): Promise<void> {
  for (const [index, page] of pages.entries()) {
    const body = await page.screenshot().catch(() => undefined);
    if (body !== undefined) await info.attach(`page ${index + 1}`, { body, contentType: 'image/png' });
  }
  const logs = join(server.dataDir, 'data', 'logs');
  const names = await readdir(logs, { recursive: true }).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    await info.attach(name.replaceAll(/[\\/]/g, ' '), { path: join(logs, name) });
  }
}
