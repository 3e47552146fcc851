import { BenchHistory } from '../history';
import { workloadMessages } from '../workload';
import type { Meet } from './tasks';
import { untilMoment } from './untilMoment';

/**
 * Appends messages to a conversation of its own at a fixed rate, as one window of several on the same file. An append
 * does not wait for the one before: a slow one makes the next ones slow, and that is seen.
 */
export async function appendAtRate(
  args: {
    readonly folder: string;
    readonly messages: number;
    /** From one append to the next, and from the common start to the first one, in ms. */
    readonly intervalMs: number;
    readonly offsetMs: number;
  },
  meet: Meet,
): Promise<{ readonly appendMs: readonly number[]; readonly lateMs: readonly number[] }> {
  const history = await BenchHistory.create(args.folder);
  const messages = workloadMessages(1, args.messages);
  const startAt = await meet();
  const lateMs: number[] = [];
  const appends: Promise<number>[] = [];
  for (const [index, message] of messages.entries()) {
    const moment = startAt + args.offsetMs + index * args.intervalMs;
    await untilMoment(moment);
    lateMs.push(Date.now() - moment);
    appends.push(timed(() => history.append(message)));
  }
  const appendMs = await Promise.all(appends);
  await history.close();
  return { appendMs, lateMs };
}

async function timed(append: () => Promise<void>): Promise<number> {
  const since = performance.now();
  await append();
  return performance.now() - since;
}
