import type { TranscriptEvent } from '../../../protocol/event';
import type { ContextMeter, RunStep } from '../../../protocol/status';
import type { Transcript } from '../../../protocol/transcript';
import type { Recorder } from '../../agent/recorder';
import type { Change } from '../../storage/change';
import type { LiveTranscript } from '../liveTranscript';
import type { MailboxEvent, MailboxState, MailboxStep } from '../turns/mailbox';
import type { SaveWatch } from './saveWatch';

/** The parts of a live conversation that what happens in it is put into. */
export interface RecordedConversation {
  readonly live: LiveTranscript;
  readonly save: SaveWatch;
  mailbox(): MailboxState;
  post(event: MailboxEvent): MailboxStep;
  record(event: TranscriptEvent): void;
  write(change: Change): void;
  /** How full the model's window is now. */
  measured(meter: ContextMeter): void;
}

/** The conversation as a turn records into it. `recorded` is called after each event. */
export function conversationRecorder(its: RecordedConversation, recorded: (event: TranscriptEvent) => void): Recorder {
  return {
    get transcript(): Transcript {
      return its.live.current;
    },
    record: (event) => {
      its.record(event);
      recorded(event);
    },
    keep: (place, version, state) => its.write({ type: 'file_version_set', ...place, version, state }),
    gate: () => its.save.gate(),
    at: (step) => {
      const mailbox = its.mailbox();
      if (mailbox.kind !== 'running' || !sameStep(mailbox.step, step)) its.post({ type: 'step', step });
    },
    context: (meter) => its.measured(meter),
  };
}

function sameStep(a: RunStep, b: RunStep): boolean {
  return a.kind === b.kind && JSON.stringify(a) === JSON.stringify(b);
}
