/** Running other programs and collecting what they print. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from './paths.mjs';
import { sayStream } from './say.mjs';

const WINDOWS = process.platform === 'win32';

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 1 when the program could not be started or was ended by a signal
 * @property {string} stdout
 * @property {string} output stdout and stderr in the order they came
 */

/**
 * Runs a program to its end. It never throws: a program that cannot be started has code 1 and the reason as output.
 * @param {string} file
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, shell?: boolean, timeout?: number }} [options]
 *   `show` passes its output on while it runs; `shell` is for the `.cmd` files of Windows
 * @returns {Promise<Outcome>}
 */
export function command(file, args, { cwd = ROOT, env = process.env, show = false, shell = false, timeout } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, shell, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
    const endWithUs = () => child.kill();
    process.once('exit', endWithUs);
    let stdout = '';
    let output = '';
    const collect = (/** @type {string} */ text, /** @type {boolean} */ isStdout) => {
      output += text;
      if (isStdout) stdout += text;
      if (show) sayStream().write(text);
    };
    child.stdout.setEncoding('utf8').on('data', (text) => collect(text, true));
    child.stderr.setEncoding('utf8').on('data', (text) => collect(text, false));
    child.on('error', (error) => resolve({ code: 1, stdout, output: `${output}${error.message}\n` }));
    child.on('close', (code) => {
      process.off('exit', endWithUs);
      resolve({ code: code ?? 1, stdout, output });
    });
  });
}

/**
 * @param {readonly string[]} args
 * @param {Parameters<typeof command>[2]} [options]
 */
export const npm = (args, options) => command(WINDOWS ? 'npm.cmd' : 'npm', args, { ...options, shell: WINDOWS });

/**
 * Runs the program of an installed package under the Node that runs this script.
 * @param {string} script path below `node_modules`
 * @param {readonly string[]} args
 * @param {Parameters<typeof command>[2]} [options]
 */
export const nodeModule = (script, args, options) =>
  command(process.execPath, [join(ROOT, 'node_modules', script), ...args], options);

/**
 * Finds a program on the PATH.
 * @param {string} name
 * @returns {string | undefined} its path
 */
export function which(name) {
  const endings = WINDOWS ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, name + ending);
      if (folder && existsSync(path)) return path;
    }
  }
  return undefined;
}
