import type { ContextMeter, ConversationStatus } from '../../../protocol/status';
import { meterOfTranscript } from '../../agent/contextMeter';
import type { LiveServices } from '../liveServices';
import type { LiveTranscript } from '../liveTranscript';

/**
 * How full the model's window is, as a conversation shows it: as the last turn measured it; and by the figures that
 * stand in the transcript as long as there was no turn, since it was read or since the person wrote more.
 */
export class ContextGauge {
  readonly #live: LiveTranscript;
  readonly #windowsOf: LiveServices['windowsOf'];
  #meter: ContextMeter | undefined;
  /** The transcript holds what the meter does not count. */
  #old = true;

  constructor(live: LiveTranscript, windowsOf: LiveServices['windowsOf']) {
    this.#live = live;
    this.#windowsOf = windowsOf;
  }

  /** For the status. Nothing until anything was counted. */
  get shown(): Pick<ConversationStatus, 'context'> {
    const context = this.#current();
    return context === undefined ? {} : { context };
  }

  /** A turn knows all that goes along. */
  measured(meter: ContextMeter): void {
    this.#meter = meter;
    this.#old = false;
  }

  /** The person wrote more. */
  grown(): void {
    this.#old = true;
  }

  /** The transcript is replaced by another one: nothing measured is of that. */
  forget(): void {
    this.#meter = undefined;
    this.#old = true;
  }

  /** Takes what is known of the model's windows now. Answers whether that makes another meter. */
  rescaled(): boolean {
    const before = this.#current();
    if (before === undefined) return false;
    const { asked, trained } = this.#windows();
    if (before.window === asked && before.trained === trained) return false;
    const { window: _window, trained: _trained, ...counted } = before;
    this.#meter = {
      ...counted,
      ...(asked === undefined ? {} : { window: asked }),
      ...(trained === undefined ? {} : { trained }),
    };
    return true;
  }

  /** Read from the transcript when it is asked for, and once only. */
  #current(): ContextMeter | undefined {
    if (!this.#old) return this.#meter;
    this.#old = false;
    // Where the server counts nothing, the last estimate of a turn is all there is.
    this.#meter = meterOfTranscript(this.#live.current.messages, this.#windows()) ?? this.#meter;
    return this.#meter;
  }

  #windows(): ReturnType<LiveServices['windowsOf']> {
    const { model } = this.#live.current.conversation;
    return model === undefined ? {} : this.#windowsOf(model);
  }
}
