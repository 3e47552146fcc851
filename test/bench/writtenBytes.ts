import { existsSync, readFileSync } from 'node:fs';

const COUNTERS = '/proc/self/io';

/** Why bytes cannot be counted here; undefined when they can. */
export function whyNotCounted(): string | undefined {
  return existsSync(COUNTERS) ? undefined : `there is no ${COUNTERS} on ${process.platform}`;
}

/** How bytes are counted, for whoever reads the figure. */
export const HOW_COUNTED =
  'wchar of /proc/self/io: all bytes that the process handed to write calls, up to the closed and checkpointed file. ' +
  'A little too high: 8 bytes for each wake-up of the event loop count too. Stores to the shared-memory index do not.';

/** Bytes that this process has handed to write calls since it began, whatever the file. */
export function writtenBytes(): number {
  const found = /^wchar: (\d+)$/m.exec(readFileSync(COUNTERS, 'utf8'))?.[1];
  if (found === undefined) throw new Error(`${COUNTERS} has no wchar`);
  return Number(found);
}
