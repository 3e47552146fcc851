import type { Command } from '../change';

/**
 * Which of the commands that wait `next` makes needless, by their places: the chunks of a part that it writes whole, and
 * what its call had printed in between. The first word that a call runs stays where it is: other changes rest on it.
 */
export function supersededBy(next: Command, waiting: readonly Command[]): ReadonlySet<number> {
  const needless = new Set<number>();
  if (next.change.type !== 'part_set') return needless;
  let hasBegun = false;
  for (const [place, command] of waiting.entries()) {
    if (!isOfSamePart(command, next)) continue;
    if (command.change.type === 'delta') needless.add(place);
    if (!saysThatItRuns(command)) continue;
    if (hasBegun) needless.add(place);
    hasBegun = true;
  }
  return needless;
}

function isOfSamePart(command: Command, next: Command): boolean {
  const { change } = command;
  if (command.conversationId !== next.conversationId || command.fence !== next.fence) return false;
  if (change.type !== 'delta' && change.type !== 'part_set') return false;
  return next.change.type === 'part_set' && change.seq === next.change.seq && change.idx === next.change.idx;
}

function saysThatItRuns({ change }: Command): boolean {
  return change.type === 'part_set' && change.part.type === 'tool' && change.part.state === 'running';
}
