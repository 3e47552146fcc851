/**
 * The one set-up script. Every command calls it first with what it needs, and only that is fetched; it is quick and silent
 * when there is nothing to do. By hand: `npm run setup`, or `npm run setup -- binding vscode` for some of it.
 *
 * It must run before anything is installed, so it imports nothing but Node's own modules.
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runMain, say, seconds, Trouble } from './lib/say.mjs';
import { setUpBinding } from './lib/setup/binding.mjs';
import { setUpChromium } from './lib/setup/chromium.mjs';
import { setUpModules } from './lib/setup/modules.mjs';
import { setUpServerNode } from './lib/setup/serverNode.mjs';
import { setUpVsCodeServer } from './lib/setup/vscodeServer.mjs';
import { rememberTools } from './lib/tools.mjs';

/**
 * What can be set up, in the order it must be done.
 * @type {Record<string, (tell: (what: string) => void) => Promise<import('./lib/tools.mjs').Tools | void>>}
 */
const PIECES = {
  modules: setUpModules,
  binding: setUpBinding,
  vscode: async (tell) => ({
    serverNode: await setUpServerNode(tell),
    vscodeServer: await setUpVsCodeServer(tell),
  }),
  chromium: async (tell) => ({ chromium: await setUpChromium(tell) }),
};

/** @typedef {'modules' | 'binding' | 'vscode' | 'chromium'} Piece */

/**
 * @param {readonly Piece[]} needed
 */
export async function setUp(needed) {
  /** @type {import('./lib/tools.mjs').Tools} */
  let found = {};
  for (const [piece, setUpPiece] of Object.entries(PIECES)) {
    if (!needed.includes(/** @type {Piece} */ (piece))) continue;
    const since = Date.now();
    let told = false;
    const result = await setUpPiece((what) => {
      told = true;
      say(`Set-up: ${what} …`);
    });
    if (told) say(`Set-up: ${piece} ready after ${seconds(since)}`);
    found = { ...found, ...result };
  }
  if (Object.keys(found).length > 0) await rememberTools(found);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await runMain(async () => {
    const asked = process.argv.slice(2);
    const unknown = asked.filter((piece) => !(piece in PIECES));
    if (unknown.length > 0) {
      throw new Trouble(`Unknown: ${unknown.join(', ')}. Known pieces: ${Object.keys(PIECES).join(', ')}.`);
    }
    await setUp(/** @type {Piece[]} */ (asked.length > 0 ? asked : Object.keys(PIECES)));
    say('Everything that was asked for is set up.');
  });
}
