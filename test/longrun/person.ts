import type { Random } from '../torture/random';
import { randomText } from '../torture/words';

/** A message of the person. */
export interface Question {
  readonly clientId: string;
  /** As it is written; the file and the model have it well-formed. */
  readonly text: string;
}

/** Characters of a message that cannot fit into any window of the run. */
const FAR_TOO_LONG = 40_000;

/** What the person writes: mostly a line, at times much, in many scripts, and now and then broken. */
export function questionOf(random: Random, number: number): Question {
  const clientId = `question-${number}`;
  const head = `Question ${number}:`;
  const kind = random.weighted({ line: 10, text: 5, long: 2, broken: 2, tooLong: 0.2 });
  switch (kind) {
    case 'line':
      return { clientId, text: `${head} what is in the files?` };
    case 'text':
      return { clientId, text: `${head} ${randomText(random, random.between(50, 500))}`.trim() };
    case 'long':
      return { clientId, text: `${head} ${randomText(random, random.between(800, 1_600))}`.trim() };
    case 'broken':
      return { clientId, text: `${head} half \ud83c of a pair, and \udff7 the other` };
    case 'tooLong':
      return { clientId, text: `${head} ${'far too long 🏷 '.repeat(FAR_TOO_LONG / 16)}`.trim() };
  }
}

/** What the person writes after a window has died in the middle of an answer. */
export function goOn(number: number): Question {
  return { clientId: `go-on-${number}`, text: `Go on (${number}).` };
}
