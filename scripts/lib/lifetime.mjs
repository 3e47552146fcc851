/** Processes and browsers that a command started, and their end, however the command itself ends. */

import { readFileSync } from 'node:fs';

/** How often to look whether the process that started us still lives. */
const PARENT_POLL_MS = 1000;

/**
 * Runs a command that starts things. They are ended in reverse order when it is done, when it fails, at Ctrl-C, when the
 * terminal closes, and when the process that started this one (npm) is gone.
 * @template T
 * @param {(keep: (end: () => Promise<void>) => void, stopped: Promise<void>) => Promise<T>} body
 *   `keep` registers what must be ended; `stopped` resolves when the person wants the end
 * @returns {Promise<T | undefined>} nothing when it was stopped
 */
export async function withLifetime(body) {
  /** @type {(() => Promise<void>)[]} */
  const ends = [];
  /** @type {() => void} */
  let stop = () => undefined;
  /** @type {Promise<void>} */
  const stopped = new Promise((resolve) => (stop = resolve));

  const stopListening = onStopRequest(stop);
  try {
    return await Promise.race([body((end) => ends.push(end), stopped), stopped.then(() => undefined)]);
  } finally {
    // One that fails to end must not keep the others alive.
    for (const end of ends.reverse()) await end().catch((error) => process.stderr.write(`${error}\n`));
    stopListening();
  }
}

/**
 * Calls back at Ctrl-C, when the terminal closes, and when the process that started this one is gone.
 * @param {() => void} stop
 * @returns {() => void} ends the listening
 */
export function onStopRequest(stop) {
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, stop);
  const starters = whoStartedUs();
  const poll = setInterval(() => whoStartedUs() !== starters && stop(), PARENT_POLL_MS);
  // Looking must not keep the process alive.
  poll.unref();
  return () => {
    clearInterval(poll);
    for (const signal of signals) process.off(signal, stop);
  };
}

/** Our parent and, under npm, the parent of the shell that npm puts between. When one of them dies, the answer changes. */
function whoStartedUs() {
  if (!process.env.npm_lifecycle_event || process.platform !== 'linux') return `${process.ppid}`;
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')')).split(' ')[2]}`;
  } catch {
    return '';
  }
}
