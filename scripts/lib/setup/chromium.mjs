/** The browser that shows the workbench in tests, demos and `npm start -- --check`: one that the system has. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { command, which } from '../command.mjs';
import { Trouble } from '../say.mjs';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'msedge',
];

/**
 * @param {(what: string) => void} tell
 * @returns {Promise<string>} path of the browser
 */
export async function setUpChromium(tell) {
  const chromium = find() ?? (await install(tell));
  await setUpFonts(tell);
  return chromium;
}

function find() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new Trouble(
      `CHROMIUM names ${named}, and there is no such file. Correct it, or unset it to use an installed browser.`,
    );
  }
  const places = {
    darwin: ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    ),
    win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => [
        join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'),
        join(folder, 'Microsoft', 'Edge', 'Application', 'msedge.exe'),
      ]),
  };
  const installed = process.platform === 'darwin' || process.platform === 'win32' ? places[process.platform] : [];
  return installed.find((path) => existsSync(path)) ?? NAMES.map(which).find((path) => path !== undefined);
}

/** @param {(what: string) => void} tell */
async function install(tell) {
  if (canInstall()) {
    tell('installing Chromium (apt-get)');
    const { code, output } = await aptInstall(['chromium']);
    const chromium = find();
    if (code === 0 && chromium) return chromium;
    throw new Trouble(`Chromium could not be installed:\n${output}`);
  }
  throw new Trouble(
    'No Chromium, Chrome or Edge was found; it shows the workbench in tests and demos. ' +
      'Debian: sudo apt-get install chromium. macOS: brew install --cask chromium. ' +
      'Or set CHROMIUM to the path of one. Then run the same command again.',
  );
}

/** Without any font Chromium draws no text at all. @param {(what: string) => void} tell */
async function setUpFonts(tell) {
  if (process.platform !== 'linux' || !which('fc-list')) return;
  const { stdout } = await command('fc-list', []);
  if (stdout.trim()) return;
  if (canInstall()) {
    tell('installing fonts (apt-get)');
    await aptInstall(['fonts-liberation', 'fonts-dejavu-core', 'fonts-noto-mono']);
  } else {
    tell('no fonts are installed, so pictures will hold no text (Debian: sudo apt-get install fonts-dejavu-core)');
  }
}

const canInstall = () => process.platform === 'linux' && process.getuid?.() === 0 && which('apt-get') !== undefined;

/** @param {string[]} packages */
async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await command('apt-get', ['update', '-qq'], { env });
  return command('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
}
