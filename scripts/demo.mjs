/**
 * `npm run demo`: drives the panel as a person would, on the stand-in for Ollama, and leaves pictures of it in `out/demo/`:
 * four themes, 300 and 700 pixels wide. `--theme light` (or dark, hc-dark, hc-light) makes one theme's only, `--scene model`
 * (or chat, trouble, approvals) one scene's.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { build } from './build.mjs';
import { readArgs } from './lib/args.mjs';
import { showApprovals } from './lib/demoApprovals.mjs';
import { showModel } from './lib/demoModel.mjs';
import { withLifetime } from './lib/lifetime.mjs';
import { packageExtension } from './lib/packageExtension.mjs';
import { fromCache, fromOut, fromRoot, ROOT } from './lib/paths.mjs';
import { runMain, say, seconds, Trouble } from './lib/say.mjs';
import { buildStandIn, loadOllama, loadWorkbench } from './lib/support.mjs';
import { setUp } from './setup.mjs';

/** @type {Record<string, string>} */
const THEMES = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'hc-light': 'Default High Contrast Light',
  'hc-dark': 'Default High Contrast',
};

const WIDTHS = [300, 700];

/** What a person writes while an answer goes on. */
const QUEUED = ['Then add a property test for both, with a clock that jumps backwards', 'And update CHANGELOG.md'];

/** Nothing listens there: what the panel shows without Ollama. */
const NOBODY = '127.0.0.1:9';

const SCENES = { chat: showChat, trouble: showTrouble, model: openModel, approvals: openApprovals };

const USAGE = `npm run demo -- [--theme ${Object.keys(THEMES).join('|')}] [--scene ${Object.keys(SCENES).join('|')}]`;

/** @typedef {import('./lib/support.mjs').Workbench} Workbench */
/** @typedef {(end: () => Promise<void>) => void} Keep */
/** @typedef {{ theme: string, vsix: string, host: string, keep: Keep }} Scene */

/**
 * A workbench in one theme with the chat open.
 * @param {Workbench} tools
 * @param {import('@playwright/test').Browser} browser
 * @param {Scene} scene
 */
async function openScene({ server: servers, browser: browsers, workbench, chatPanel }, browser, scene) {
  const base = fromCache('demo', scene.theme);
  await rm(base, { recursive: true, force: true });
  const folder = join(base, 'harbor-queue');
  await cp(fromRoot('test', 'fixtures', 'sample-folder'), folder, { recursive: true });
  const server = await servers.startServer({
    dataDir: join(base, 'data'),
    home: join(base, 'home'),
    vsix: scene.vsix,
    settings: { 'workbench.colorTheme': THEMES[scene.theme], 'window.autoDetectColorScheme': false },
    machineSettings: { 'holdfast.ollama.host': scene.host },
  });
  scene.keep(server.stop);
  const { context } = await browsers.newContext(browser, {
    viewport: { width: 1440, height: 900 },
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  await workbench.openWorkbench(page, server, folder);
  const panel = await chatPanel.openChat(page);

  /**
   * Takes the panel alone, in each width.
   * @param {string} state
   * @param {{ page?: import('@playwright/test').Page, panel?: typeof panel, open?: () => Promise<unknown> }} [of] `open` opens
   *   what the focus must stay in, which another width takes away
   */
  const shoot = async (state, of = {}) => {
    const shown = { page, panel, ...of };
    for (const width of WIDTHS) {
      await workbench.resizeSideBar(shown.page, await shown.panel.frame(), width);
      await shown.page.mouse.move(1, 1);
      await of.open?.();
      const path = fromOut('demo', `${scene.theme}-${width}-${state}.png`);
      await shown.page.locator('.part.auxiliarybar').screenshot({ path, animations: 'disabled' });
    }
  };
  /** Another window on the same folder. */
  const openSecond = async () => {
    const second = await context.newPage();
    await workbench.openWorkbench(second, server, folder);
    return { page: second, panel: await chatPanel.openChat(second) };
  };
  const close = async () => {
    await context.close();
    await server.stop();
  };
  return { page, folder, panel, shoot, openSecond, close };
}

/** @param {Workbench} tools @param {import('@playwright/test').Browser} browser @param {Scene} scene */
async function showChat(tools, browser, scene) {
  const { page, panel, shoot, openSecond, close } = await openScene(tools, browser, scene);
  await shoot('empty');

  await panel.ask('What does README.md say?');
  await panel.waitForAnswer();
  await shoot('answer');
  const row = await panel.button(/^Read README\.md/);
  await row.first().click();
  await shoot('tool-row-open');

  const second = await openSecond();
  await page.bringToFront();
  await panel.ask('Tell me slowly about job queues.');
  const stop = await panel.button(/^Stop$/);
  await stop.waitFor();
  await (await second.panel.button('Continue here')).waitFor();
  await shoot('following', second);
  await shoot('streaming');
  for (const text of QUEUED) {
    await (await panel.message()).fill(text);
    await (await panel.message()).press('Enter');
  }
  await shoot('queue');
  await second.page.close();
  await stop.click();
  await panel.waitForAnswer();
  await shoot('stopped');
  await page.screenshot({ path: fromOut('demo', `${scene.theme}-window.png`) });
  await close();
}

/** @param {Workbench} tools @param {import('@playwright/test').Browser} browser @param {Scene} scene */
async function showTrouble(tools, browser, scene) {
  const { panel, shoot, close } = await openScene(tools, browser, { ...scene, host: NOBODY });
  const frame = await panel.frame();
  await frame.getByRole('region', { name: 'Ollama does not answer' }).waitFor({ timeout: 20_000 });
  await shoot('no-ollama');
  await close();
}

/** What is shown of models and their windows, with a server of its own. @param {Workbench} tools @param {import('@playwright/test').Browser} browser @param {Scene} scene */
async function openModel(tools, browser, scene) {
  const ollama = await loadOllama();
  await showModel(ollama, scene.keep, (host) => openScene(tools, browser, { ...scene, host }));
}

/** What the person is asked for, with a server of its own. @param {Workbench} tools @param {import('@playwright/test').Browser} browser @param {Scene} scene */
async function openApprovals(tools, browser, scene) {
  const ollama = await loadOllama();
  await showApprovals(ollama, scene.keep, (host) => openScene(tools, browser, { ...scene, host }));
}

await runMain(async () => {
  const { theme, scene: only } = readArgs({ theme: { type: 'string' }, scene: { type: 'string' } }, USAGE);
  if (only !== undefined && !(only in SCENES)) throw new Trouble(`There is no scene "${only}".\nUsage: ${USAGE}`);
  if (theme !== undefined && !(theme in THEMES)) throw new Trouble(`There is no theme "${theme}".\nUsage: ${USAGE}`);
  await setUp(['modules', 'binding', 'vscode', 'chromium']);
  await build({ production: true });
  const { file: vsix } = await packageExtension();
  await buildStandIn();
  const tools = await loadWorkbench();
  await rm(fromOut('demo'), { recursive: true, force: true });
  await mkdir(fromOut('demo'), { recursive: true });

  await withLifetime(async (keep) => {
    const standIn = await tools.standIn.startStandIn();
    keep(standIn.stop);
    const browser = await tools.browser.launchBrowser();
    keep(() => browser.close());
    for (const name of theme === undefined ? Object.keys(THEMES) : [theme]) {
      const since = Date.now();
      const scene = { theme: name, vsix, host: standIn.host, keep };
      for (const [key, show] of Object.entries(SCENES)) {
        if (only === undefined || only === key) await show(tools, browser, scene);
      }
      say(`${THEMES[name]}: done (${seconds(since)})`);
    }
    say(`The pictures are in ${relative(ROOT, fromOut('demo'))}/`);
  });
});
