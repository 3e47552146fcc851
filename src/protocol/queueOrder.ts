import type { ClientId } from './ids';

/**
 * The queue with one message put before another, or last when `before` is absent. The same queue when either is not in
 * it: then what was meant is not known any more.
 */
export function movedBefore<Item extends { readonly clientId: ClientId }>(
  queue: readonly Item[],
  clientId: ClientId,
  before?: ClientId,
): readonly Item[] {
  const moved = queue.find((message) => message.clientId === clientId);
  if (moved === undefined || clientId === before) return queue;
  const rest = queue.filter((message) => message !== moved);
  if (before === undefined) return [...rest, moved];
  const at = rest.findIndex((message) => message.clientId === before);
  return at < 0 ? queue : rest.toSpliced(at, 0, moved);
}
