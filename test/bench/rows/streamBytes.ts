import { runInChild } from '../children';
import type { Bench, BenchRow, Measured } from '../row';
import { HOW_COUNTED, whyNotCounted } from '../writtenBytes';

const TOKENS_PER_SECOND = 60;

/** What keeping a reply safe while it streams costs the disk, its end and the checkpoint after it included. */
export const streamBytes: BenchRow = {
  id: 'stream-bytes',
  what: `bytes written per second of a reply at ${TOKENS_PER_SECOND} tokens/s`,
  unit: 'bytes/s',
  goal: { kind: 'at-most', value: 120_000 },
  measure,
};

async function measure({ size, files }: Bench): Promise<Measured> {
  const reason = whyNotCounted();
  if (reason !== undefined) return { value: null, note: reason, detail: { reason } };
  const found = await runInChild('streamReply', {
    folder: await files.newFolder(),
    seconds: size.streamSeconds,
    tokensPerSecond: TOKENS_PER_SECOND,
  });
  const flushes = (found.commands['delta'] ?? 0) / found.seconds;
  return {
    value: Math.round(found.writtenBytes / found.seconds),
    note: `${flushes.toFixed(1)} flushes/s in ${found.seconds.toFixed(0)} s`,
    detail: { ...found, tokensPerSecond: TOKENS_PER_SECOND, how: HOW_COUNTED },
  };
}
