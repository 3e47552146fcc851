import type { Disk } from './disk';
import type { Fleet } from './fleet';
import type { Counts } from './problem';
import { Random } from './random';
import type { Undo } from './undo';

/** Mean pauses (ms) between faults of a kind, and the longest of those that last. */
export interface Pace {
  readonly kill: number;
  readonly close: number;
  readonly freeze: number;
  readonly lockHold: number;
  readonly fullDisk: number;
  readonly readOnly: number;
  readonly diskError: number;
  readonly clockJump: number;
  readonly longestFreezeMs: number;
  readonly longestHoldMs: number;
  /** Of a full disk and of a file that is read-only. */
  readonly longestOutageMs: number;
}

/** What the faults play on. */
export interface Stage {
  readonly seed: number;
  readonly pace: Pace;
  readonly fleet: Fleet;
  readonly disk: Disk;
  readonly undo: Undo;
  readonly counts: Counts;
  /** Becomes true once, when the time is over. */
  readonly isOver: boolean;
  /** Ends early when the time is over. */
  pause(ms: number): Promise<void>;
  /** For the log: what was done. */
  note(what: string): void;
  /** Something that this machine does not let us do, and what was done instead. */
  skip(what: string): void;
}

/** The first one comes soon, so that a short run has it, too. */
const FIRST_MS = 3_000;

/** Does something at random times until the end. */
export async function again(
  stage: Stage,
  topic: string,
  meanMs: number,
  once: (random: Random) => Promise<void> | void,
): Promise<void> {
  const random = new Random(stage.seed, topic);
  await stage.pause(random.between(500, FIRST_MS));
  while (!stage.isOver) {
    await once(random);
    await stage.pause(random.wait(meanMs));
  }
}
