/** Integration tests: Mocha inside the extension host of a real VS Code server, which a headless browser opens. */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fromOut, fromRoot, ROOT } from '../paths.mjs';
import { buildStandIn, loadWorkbench } from '../support.mjs';
import { buildSuites, readMochaReport, SUITES } from './mocha.mjs';

const TIMEOUT_MS = 240_000;

/**
 * @param {{ grep?: string | undefined }} options
 * @returns {Promise<import('./outcome.mjs').Outcome>}
 */
export async function runIntegration({ grep }) {
  const results = fromOut('test', 'integration');
  const reportFile = join(results, 'report.json');
  const folder = join(results, 'sample-folder');
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  await cp(fromRoot('test', 'fixtures', 'sample-folder'), folder, { recursive: true });
  await buildSuites();

  await buildStandIn();
  const { server: servers, browser: browsers, standIn: standIns } = await loadWorkbench();
  const standIn = await standIns.startStandIn();
  const server = await servers.startServer({
    dataDir: join(results, 'data'),
    home: join(results, 'home'),
    forMocha: true,
    machineSettings: { 'holdfast.ollama.host': standIn.host },
  });
  const browser = await browsers.launchBrowser();
  try {
    const { context } = await browsers.newContext(browser);
    const page = await context.newPage();
    const code = await runSuites(page, server, folder, {
      HOLDFAST_TEST_REPORT: reportFile,
      HOLDFAST_TEST_GREP: grep ?? '',
    });
    const outcome = await readMochaReport(reportFile, code, grep);
    if (outcome.failures.length > 0)
      await page.screenshot({ path: join(results, 'failed.png') }).catch(() => undefined);
    return outcome;
  } finally {
    await browser.close();
    await server.stop();
    await standIn.stop();
  }
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {import('../../../test/support/workbench/server').VsCodeServer} server
 * @param {string} folder
 * @param {Record<string, string>} environment
 * @returns {Promise<number>} what the extension host answered; 1 when it did not in time
 */
async function runSuites(page, server, folder, environment) {
  const onServer = (/** @type {string} */ path) => `vscode-remote://127.0.0.1:${server.port}${path}`;
  const payload = [
    ['skipWelcome', 'true'],
    ['extensionDevelopmentPath', onServer(ROOT)],
    ['extensionTestsPath', onServer(join(SUITES, 'index.js'))],
    ['extensionEnvironment', JSON.stringify(environment)],
  ];
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    // The workbench calls these two by name; both must be there before it starts.
    void page.exposeFunction('codeAutomationExit', resolve);
    setTimeout(() => resolve(1), TIMEOUT_MS).unref();
  });
  await page.exposeFunction('codeAutomationLog', () => undefined);
  const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
  await page.goto(`${server.url}/?${query.toString()}`);
  return ended;
}
