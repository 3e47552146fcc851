import type { MessageEnd, MessageNote, Usage } from '../../protocol/message';
import { messageAt } from '../../protocol/transcript';
import { closeBegunCalls, closeCalls, waitsForLeave } from './calls';
import { isPromptCut } from './promptCut';
import { meterNow, type PreparedRequest } from './request';
import { estimateImages } from './tokens';
import type { AbortReason, TurnInput } from './turn';

/** How a message ends, without what is known of every message. */
export type HowEnded = Pick<MessageEnd, 'status' | 'reason' | 'detail'>;

/** One message of the model that is being written, in as many attempts as it takes. */
export class OpenMessage {
  readonly seq: number;
  readonly #input: TurnInput;
  readonly #notes: MessageNote[] = [];
  #usage: Usage | undefined;

  /** `left`: place of a message that is open already; undefined: a new one. */
  constructor(input: TurnInput, left?: number) {
    const { recorder, clock, model } = input;
    this.#input = input;
    this.seq = left ?? (recorder.transcript.messages.at(-1)?.seq ?? 0) + 1;
    if (left !== undefined) return;
    recorder.record({
      type: 'message_added',
      message: { seq: this.seq, role: 'assistant', status: 'streaming', model, createdAt: clock.now(), parts: [] },
    });
  }

  /** Whether no attempt has brought anything yet. */
  get isBlank(): boolean {
    return (messageAt(this.#input.recorder.transcript.messages, this.seq)?.parts.length ?? 0) === 0;
  }

  note(note: MessageNote): void {
    if (!this.#notes.includes(note)) this.#notes.push(note);
  }

  /** Takes the server's figures, and looks whether it read everything. */
  measured(usage: Usage, prepared: PreparedRequest): void {
    const { recorder, model } = this.#input;
    this.#usage = { ...usage, estimatedTokens: prepared.estimatedTokens };
    const before = recorder.transcript.messages.filter((message) => message.seq < this.seq);
    const images = estimateImages(prepared.request.messages);
    if (isPromptCut(this.#usage, model, before, images)) this.note('prompt_cut');
  }

  /** Ends it; calls that have no result are closed. */
  end(how: HowEnded): void {
    const { recorder, clock } = this.#input;
    closeCalls(recorder, this.seq, clock);
    const end: MessageEnd = {
      ...how,
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#notes.length === 0 ? {} : { notes: this.#notes }),
      endedAt: clock.now(),
    };
    recorder.record({ type: 'message_ended', seq: this.seq, end });
    recorder.context(meterNow(this.#input));
  }

  /**
   * Ends it as whoever aborted the turn says. One of which a call waits for leave stays open unless the person stopped
   * it: an answer can still come, in whichever window.
   */
  stop(signal: AbortSignal): void {
    const { recorder, clock } = this.#input;
    const reason = abortReason(signal);
    if (reason !== 'stop' && waitsForLeave(recorder.transcript, this.seq)) closeBegunCalls(recorder, this.seq, clock);
    else this.end({ status: 'aborted', reason });
  }
}

function abortReason(signal: AbortSignal): AbortReason {
  const reason: unknown = signal.reason;
  return reason === 'crash' || reason === 'takeover' ? reason : 'stop';
}
