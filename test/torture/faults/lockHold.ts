import { Child, type ChildOptions } from '../child';
import type { HolderAnswer, HolderLine } from '../lines';
import { again, type Stage } from '../stage';

const SHORT_HOLD_MS = 2_000;

/** Another program that holds the write lock of the file, at times for very long. */
export async function lockHolding(
  stage: Stage,
  child: Omit<ChildOptions<HolderAnswer>, 'program' | 'argument' | 'heard'>,
): Promise<void> {
  let answered: (answer: HolderAnswer) => void = () => undefined;
  const holder = new Child<HolderLine, HolderAnswer>({
    ...child,
    program: 'lockHolder',
    argument: stage.disk.folder,
    heard: (answer) => answered(answer),
  });
  await again(stage, 'lockHold', stage.pace.lockHold, async (random) => {
    const ms = random.between(100, random.chance(0.06) ? stage.pace.longestHoldMs : SHORT_HOLD_MS);
    stage.note(`hold the write lock for ${ms} ms`);
    const answer = new Promise<HolderAnswer>((resolve) => {
      answered = resolve;
    });
    holder.tell({ kind: 'hold', exclusive: random.chance(0.5), ms });
    // At the end nobody waits for it: it is killed, and its lock is gone.
    const how = await Promise.race([answer, stage.pause(ms + 10_000)]);
    if (how?.kind === 'held') stage.counts.lockHolds += 1;
    else if (how?.kind === 'refused') stage.note(`the write lock was not had: ${how.why}`);
  });
  holder.process.kill('SIGKILL');
  await holder.ended;
}
