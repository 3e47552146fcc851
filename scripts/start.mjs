/**
 * `npm start`: a real VS Code with the extension in it, on a sample folder.
 * `--folder DIR` opens another folder, `--desktop` uses the installed desktop VS Code, and `--check` asks one question
 * through the panel, prints the answer and ends.
 */
import { cp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { build } from './build.mjs';
import { readArgs } from './lib/args.mjs';
import { which } from './lib/command.mjs';
import { startDesktop } from './lib/desktop.mjs';
import { withLifetime } from './lib/lifetime.mjs';
import { findOllama } from './lib/ollamaAddress.mjs';
import { packageExtension } from './lib/packageExtension.mjs';
import { fromCache, fromOut, fromRoot } from './lib/paths.mjs';
import { runMain, say, sayOnStderr, Trouble } from './lib/say.mjs';
import { buildStandIn, loadWorkbench } from './lib/support.mjs';
import { setUp } from './setup.mjs';

const QUESTION = 'What does README.md say?';

/** A model on a slow machine may need most of it. */
const ANSWER_TIMEOUT_MS = 90_000;

const USAGE = 'npm start -- [--folder DIR] [--desktop | --check [--json]]';

/** @typedef {(end: () => Promise<void>) => void} Keep */

/**
 * @param {import('./lib/support.mjs').Workbench} workbench
 * @param {Keep} keep
 * @returns {Promise<string>} the address for the extension
 */
async function provideOllama(workbench, keep) {
  const { host, version } = await findOllama();
  if (version !== undefined) {
    say(`Models: Ollama ${version} at ${host}`);
    return host;
  }
  await buildStandIn();
  const standIn = await workbench.standIn.startStandIn();
  keep(standIn.stop);
  say(`Models: a stand-in for Ollama at ${standIn.host} (nothing answers at ${host})`);
  return standIn.host;
}

/**
 * @param {string | undefined} asked
 * @param {string} base where the copy of the sample folder is kept
 */
async function provideFolder(asked, base) {
  if (asked !== undefined) {
    const folder = resolve(process.env.INIT_CWD ?? process.cwd(), asked);
    if (!existsSync(folder)) throw new Trouble(`There is no folder ${folder}.`);
    return folder;
  }
  const folder = fromCache(base, 'sample-folder');
  if (!existsSync(folder)) await cp(fromRoot('test', 'fixtures', 'sample-folder'), folder, { recursive: true });
  return folder;
}

/** Shows the address in the person's browser where there is a screen. @param {string} url */
function openInBrowser(url) {
  const display = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  if (!display || !which(opener)) return;
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}

/**
 * @param {import('./lib/support.mjs').Workbench} workbench
 * @param {import('../test/support/workbench/server').VsCodeServer} server
 * @param {string} folder
 * @param {Keep} keep
 */
async function askOnce({ browser: browsers, workbench, chatPanel }, server, folder, keep) {
  const browser = await browsers.launchBrowser();
  keep(() => browser.close());
  const { context } = await browsers.newContext(browser);
  const page = await context.newPage();
  try {
    await workbench.openWorkbench(page, server, folder);
    const panel = await chatPanel.openChat(page);
    await panel.ask(QUESTION);
    const answer = await panel.waitForAnswer(ANSWER_TIMEOUT_MS);
    if (!answer.name.endsWith(', done'))
      throw new Error(`The answer did not end well: "${answer.name}"\n${answer.text}`);
    return { question: QUESTION, ...answer };
  } catch (error) {
    const picture = fromOut('start-check.png');
    await page.screenshot({ path: picture }).catch(() => undefined);
    throw new Trouble(`${/** @type {Error} */ (error).message}\nThe screen is in ${picture}`);
  }
}

await runMain(async () => {
  const options = readArgs(
    {
      folder: { type: 'string' },
      desktop: { type: 'boolean' },
      check: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    USAGE,
  );
  const { desktop = false, check = false, json = false } = options;
  if (desktop && check) throw new Trouble(`--desktop and --check exclude each other.\nUsage: ${USAGE}`);
  if (json) sayOnStderr();

  await setUp(['modules', 'binding']);
  if (!desktop) await setUp(['vscode']);
  if (check) await setUp(['chromium']);
  await build({ production: !desktop });
  const workbench = await loadWorkbench();
  // A check begins without history; what a person has made by hand is kept for the next start.
  const base = check ? 'check' : 'start';
  if (check) await rm(fromCache(base), { recursive: true, force: true });
  const folder = await provideFolder(options.folder, base);

  await withLifetime(async (keep, stopped) => {
    const host = await provideOllama(workbench, keep);
    const machineSettings = { 'holdfast.ollama.host': host };
    if (desktop) {
      const editor = await startDesktop({ folder, settings: machineSettings });
      keep(editor.stop);
      say('VS Code is open. It ends with this command: close its window or press Ctrl-C.');
      await Promise.race([stopped, editor.ended]);
      return;
    }
    const { file } = await packageExtension();
    const server = await workbench.server.startServer({
      dataDir: fromCache(base, 'data'),
      machineSettings,
      vsix: file,
    });
    keep(server.stop);
    if (check) {
      const answer = await askOnce(workbench, server, folder, keep);
      if (json) process.stdout.write(`${JSON.stringify(answer)}\n`);
      else say(`\n${answer.question}\n\n${answer.name}\n${answer.text}`);
      return;
    }
    const url = `${server.url}/?${new URLSearchParams({ folder }).toString()}`;
    say(
      `\nVS Code with Holdfast: ${url}\nThe chat: command palette (F1), "Holdfast: Focus on Chat View". Ctrl-C ends it.`,
    );
    openInBrowser(url);
    await Promise.race([stopped, server.ended]);
  });
});
