import type { MessageEnd, MessageNote, Usage } from '../../protocol/message';
import { messageAt } from '../../protocol/transcript';
import { closeCalls } from './calls';
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

  constructor(input: TurnInput) {
    const { recorder, clock, model } = input;
    this.#input = input;
    this.seq = (recorder.transcript.messages.at(-1)?.seq ?? 0) + 1;
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

  /** Ends it as whoever aborted the turn says. */
  stop(signal: AbortSignal): void {
    this.end({ status: 'aborted', reason: abortReason(signal) });
  }
}

function abortReason(signal: AbortSignal): AbortReason {
  const reason: unknown = signal.reason;
  return reason === 'crash' || reason === 'takeover' ? reason : 'stop';
}
