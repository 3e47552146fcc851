import { createHash } from 'node:crypto';
import type { Message } from '../../src/protocol/message';

/** Stands for everything that a message holds, whatever the order of its keys. */
export function printOf(message: Message): string {
  const json = JSON.stringify(message, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha1').update(json).digest('base64').slice(0, 12);
}
