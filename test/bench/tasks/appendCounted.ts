import { BenchHistory } from '../history';
import { payloadBytes, workloadMessages } from '../workload';
import { writtenBytes } from '../writtenBytes';

/** Appends messages to a new file, one after the other, and counts what that wrote, the close included. */
export async function appendCounted(args: {
  readonly folder: string;
  readonly messages: number;
}): Promise<{ readonly writtenBytes: number; readonly payloadBytes: number }> {
  const history = await BenchHistory.create(args.folder);
  const messages = workloadMessages(1, args.messages);
  const before = writtenBytes();
  for (const message of messages) await history.append(message);
  await history.close();
  return {
    writtenBytes: writtenBytes() - before,
    payloadBytes: messages.reduce((sum, message) => sum + payloadBytes(message), 0),
  };
}
