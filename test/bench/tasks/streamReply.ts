import type { TranscriptEvent } from '../../../src/protocol/event';
import { fold, messageAt, type Transcript } from '../../../src/protocol/transcript';
import { systemClock } from '../../../src/extension/base/clock';
import { EventWriter } from '../../../src/extension/conversations/saving/eventWriter';
import { BenchHistory } from '../history';
import { workloadText } from '../workload';
import { writtenBytes } from '../writtenBytes';
import { untilMoment } from './untilMoment';

const TOKEN_CHARS = 4;

/**
 * Streams a reply into a new file in real time, event by event as a live conversation does it: into memory and, by way
 * of the event writer, into the store. Counts what that wrote, the close included.
 */
export async function streamReply(args: {
  readonly folder: string;
  readonly seconds: number;
  readonly tokensPerSecond: number;
}): Promise<{
  readonly writtenBytes: number;
  readonly seconds: number;
  readonly tokens: number;
  readonly commands: Readonly<Record<string, number>>;
}> {
  const history = await BenchHistory.create(args.folder);
  const claim = await history.store.claimRun(history.conversationId);
  if (claim.kind !== 'granted') throw new Error(`the run was not granted: ${claim.kind}`);
  await history.write({ type: 'run_started', fence: claim.fence });

  const writes: Promise<void>[] = [];
  const commands: Record<string, number> = {};
  let transcript: Transcript = {
    conversation: { id: history.conversationId, kind: 'chat', title: 'Bench', createdAt: 0 },
    messages: [],
    hasOlder: false,
  };
  const writer = new EventWriter(
    (change) => {
      commands[change.type] = (commands[change.type] ?? 0) + 1;
      writes.push(history.write(change, claim.fence));
    },
    ({ seq, idx }) => messageAt(transcript.messages, seq)?.parts[idx],
    systemClock,
  );
  const record = (event: TranscriptEvent): void => {
    writer.write(event);
    const folded = fold(transcript, event);
    if (!folded.ok) throw new Error(`${event.type} does not follow`);
    transcript = folded.transcript;
  };

  const tokens = Math.round(args.seconds * args.tokensPerSecond);
  const text = workloadText(tokens * TOKEN_CHARS);
  const before = writtenBytes();
  const since = Date.now();
  record({
    type: 'message_added',
    message: { seq: 1, role: 'assistant', status: 'streaming', model: 'bench:8b', createdAt: since, parts: [] },
  });
  record({ type: 'part_set', seq: 1, idx: 0, part: { type: 'text', text: '' } });
  for (let token = 0; token < tokens; token += 1) {
    await untilMoment(since + (token * 1_000) / args.tokensPerSecond);
    const at = token * TOKEN_CHARS;
    record({ type: 'part_delta', seq: 1, idx: 0, at, text: text.slice(at, at + TOKEN_CHARS) });
  }
  record({ type: 'message_ended', seq: 1, end: { status: 'done', endedAt: Date.now() } });
  const seconds = (Date.now() - since) / 1_000;
  await Promise.all(writes);
  await history.write({ type: 'run_ended' }, claim.fence);
  await history.store.checkpoint();
  await history.close();
  return { writtenBytes: writtenBytes() - before, seconds, tokens, commands };
}
