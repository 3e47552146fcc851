/** What a script tells the person who runs it. With `--json`, stdout belongs to the one JSON value and all else goes to stderr. */

/** @type {NodeJS.WriteStream} */
let stream = process.stdout;

/** Sends all further lines to stderr, so that stdout can carry JSON alone. */
export function sayOnStderr() {
  stream = process.stderr;
}

/** The stream that `say` writes to, for child processes whose output is passed on. */
export const sayStream = () => stream;

/** @param {string} line */
export function say(line) {
  stream.write(`${line}\n`);
}

/** @param {number} since a value of `Date.now()` */
export const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/**
 * A failure that the person can act on: the message says what happened and what to do next, and no stack is shown.
 */
export class Trouble extends Error {}

/**
 * Runs the main function of a script: a `Trouble` is told in words, any other error with its stack; both end with code 1.
 * @param {() => Promise<number | void>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    const told = error instanceof Trouble ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${told}\n`);
    process.exitCode = 1;
  }
}
