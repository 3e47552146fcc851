import { BenchHistory } from './history';
import type { Bench } from './row';
import { median } from './statistics';
import { workloadMessage } from './workload';

/**
 * Milliseconds for one append of ours at the end of the long conversation: the median over pairs of one message of the
 * person and one answer, since the two differ too much for a median of their own.
 */
export async function timeAppends({ size, files }: Bench): Promise<number> {
  const { folder, conversationId } = await files.copyOf(size.longMessages);
  const history = await BenchHistory.open(folder, conversationId);
  const pairsMs: number[] = [];
  for (let pair = 0; pair < size.appendPairs; pair += 1) {
    const seq = size.longMessages + 1 + pair * 2;
    pairsMs.push(await history.timePair([workloadMessage(seq), workloadMessage(seq + 1)]));
  }
  await history.close();
  return median(pairsMs);
}
