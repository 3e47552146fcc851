import type { Message } from '../../../protocol/message';
import { closeCalls } from '../../agent/calls';
import type { Recorder } from '../../agent/recorder';
import type { Clock } from '../../base/clock';

type Recording = Pick<Recorder, 'transcript' | 'record'>;

/** After a fault of ours: what was being written ends, so that the conversation goes on. */
export function endOpenMessage(recorder: Recording, model: string, clock: Clock): void {
  const last = recorder.transcript.messages.at(-1);
  let seq = last?.seq ?? 0;
  if (last?.status !== 'streaming') {
    seq += 1;
    const message: Message = { seq, role: 'assistant', status: 'streaming', model, createdAt: clock.now(), parts: [] };
    recorder.record({ type: 'message_added', message });
  }
  closeCalls(recorder, seq, clock);
  recorder.record({ type: 'message_ended', seq, end: { status: 'error', reason: 'internal', endedAt: clock.now() } });
}

/** What was left open, with calls that wait for leave, ends as interrupted: something else begins. */
export function endLeftOpen(recorder: Recording, clock: Clock): void {
  const last = recorder.transcript.messages.at(-1);
  if (last?.status !== 'streaming') return;
  const { seq } = last;
  closeCalls(recorder, seq, clock);
  recorder.record({ type: 'message_ended', seq, end: { status: 'aborted', reason: 'crash', endedAt: clock.now() } });
}
