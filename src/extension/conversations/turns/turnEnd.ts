import type { ClientId } from '../../../protocol/ids';
import type { QueuedMessage } from '../../../protocol/status';

/** What is known when a turn has ended. */
export interface EndedTurn {
  /** `well`: it has its answer. `badly`: it failed. `stopped`: by the person, or with its window. */
  readonly how: 'well' | 'badly' | 'stopped';
  /** The message of the queue that the person wants to be sent next, whatever came of the turn. */
  readonly wanted: ClientId | undefined;
  /** In the order in which they will be sent. */
  readonly queue: readonly QueuedMessage[];
  /** Results of sub-agents that the conversation was not told yet. */
  readonly undelivered: number;
  /** Turns that may still begin without a word of the person. */
  readonly autonomy: number;
}

/** What follows. `deliver`: all results, as one turn. */
export type AfterTurn =
  { readonly kind: 'send'; readonly clientId: ClientId } | { readonly kind: 'deliver' } | { readonly kind: 'rest' };

/**
 * What follows a turn: what the person asked for, whatever came of it; else, when all went well, the oldest message that
 * waits; else all results, as long as turns may begin by themselves. Else nothing: after Stop and after an error the
 * queue rests.
 */
export function afterTurn({ how, wanted, queue, undelivered, autonomy }: EndedTurn): AfterTurn {
  const asked = queue.find(({ clientId }) => clientId === wanted);
  if (asked !== undefined) return { kind: 'send', clientId: asked.clientId };
  if (how !== 'well') return { kind: 'rest' };
  const [oldest] = queue;
  if (oldest !== undefined) return { kind: 'send', clientId: oldest.clientId };
  return undelivered > 0 && autonomy > 0 ? { kind: 'deliver' } : { kind: 'rest' };
}
