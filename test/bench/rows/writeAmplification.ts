import { runInChild } from '../children';
import type { Bench, BenchRow, Measured } from '../row';
import { rounded } from '../statistics';
import { HOW_COUNTED, whyNotCounted } from '../writtenBytes';

/** How many bytes the disk is given for each byte that somebody said. */
export const writeAmplification: BenchRow = {
  id: 'write-amplification',
  what: 'bytes written per byte of whole messages',
  unit: 'bytes/byte',
  goal: { kind: 'at-most', value: 9 },
  measure,
};

async function measure({ size, files }: Bench): Promise<Measured> {
  const reason = whyNotCounted();
  if (reason !== undefined) return { value: null, note: reason, detail: { reason } };
  const messages = size.countedMessages;
  const found = await runInChild('appendCounted', { folder: await files.newFolder(), messages });
  return {
    value: rounded(found.writtenBytes / found.payloadBytes),
    note: `${(found.writtenBytes / 1e6).toFixed(1)} MB for ${(found.payloadBytes / 1e6).toFixed(1)} MB`,
    detail: { ...found, messages, how: HOW_COUNTED },
  };
}
