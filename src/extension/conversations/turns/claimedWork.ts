import type { TranscriptEvent } from '../../../protocol/event';
import type { Transcript } from '../../../protocol/transcript';
import type { Reply } from '../../../protocol/wire';
import type { Clock } from '../../base/clock';
import type { Log } from '../../base/log';
import type { Change } from '../../storage/change';
import type { JobRunner, RunConversation } from './jobRunner';
import { CLOSING_UNDONE, notChanged, NOT_CHANGED, STILL_WAITS } from '../replies';
import { isLeftOpen } from '../leave/waitingCall';

/** A conversation that only this window writes to, as long as the work lasts. */
export interface ClaimedConversation {
  readonly transcript: Transcript;
  /** Queued for the file, folded and shown, in one synchronous step. */
  record(event: TranscriptEvent): void;
  /** Queues what is not part of the transcript. */
  write(change: Change): void;
  /** Resolves when everything so far is in the file, or when it cannot be now. Answers whether it is there. */
  gate(): Promise<boolean>;
  /** Aborts when the person stops it, the window closes or another one takes the conversation over. */
  readonly signal: AbortSignal;
}

/** What is done outside of a turn, such as taking back changes of files. It should end soon after the signal aborts. */
export type ClaimedWork = (conversation: ClaimedConversation) => Promise<Reply>;

/** Does it while nothing else goes on. Resolves when it is done, or with the reason why it is not. Never rejects. */
export async function workClaimed(
  jobs: JobRunner,
  its: Pick<RunConversation, 'live' | 'write'>,
  work: ClaimedWork,
  clock: Clock,
  log: Log,
): Promise<Reply> {
  let outcome: Reply = NOT_CHANGED;
  const { reply, run } = await jobs.begin({
    kind: 'undo',
    event: { type: 'undo_asked', now: clock.now() },
    words: { closing: CLOSING_UNDONE, failed: notChanged },
    // Another window may have left a call waiting.
    open: () => (isLeftOpen(its.live.current) ? STILL_WAITS : { ok: true }),
    work: async (recorder, signal) => {
      try {
        outcome = await work({
          get transcript() {
            return recorder.transcript;
          },
          record: (event) => recorder.record(event),
          write: (change) => its.write(change),
          gate: () => recorder.gate(),
          signal,
        });
      } catch (error) {
        log.error('the work failed', error);
      }
      // What waited before goes on waiting: nobody wrote.
      return 'badly';
    },
  });
  if (!reply.ok) return reply;
  await run;
  return outcome;
}
