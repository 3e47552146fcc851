import type { TranscriptEvent } from '../../../protocol/event';
import type { ConversationId } from '../../../protocol/ids';
import { messageAt } from '../../../protocol/transcript';
import type { Clock } from '../../base/clock';
import { isOfRun, type Change, type WriteOutcome } from '../../storage/change';
import type { Store } from '../../storage/store';
import { EventWriter } from './eventWriter';
import type { LiveTranscript } from '../liveTranscript';
import type { RunClaimer } from '../turns/runClaim';
import type { SaveWatch } from './saveWatch';

/** The parts of a live conversation that what happens in it is written from. */
export interface WrittenConversation {
  readonly live: LiveTranscript;
  readonly claimer: RunClaimer;
  readonly save: SaveWatch;
  /** How it comes into the file that it is not in, first change first. */
  origin(): readonly Change[];
  /** Turns that began while the file failed never were this window's to run, though nobody could know. */
  rescue(): void;
  /** Another window took the run over. */
  lost(): void;
}

/** The one way into a conversation: what happens is queued for the file, folded and shown in one synchronous step. */
export class Recording {
  readonly #store: Store;
  readonly #id: ConversationId;
  readonly #its: WrittenConversation;
  readonly #clock: Clock;
  readonly #writer: EventWriter;
  /** The conversation's own row was queued for the file here. */
  #created = false;

  constructor(store: Store, id: ConversationId, its: WrittenConversation, clock: Clock) {
    this.#store = store;
    this.#id = id;
    this.#its = its;
    this.#clock = clock;
    this.#writer = new EventWriter(
      (change) => void this.write(change),
      ({ seq, idx }) => messageAt(its.live.current.messages, seq)?.parts[idx],
      clock,
    );
  }

  record(event: TranscriptEvent): void {
    const { live, claimer } = this.#its;
    const followed = live.fold(event, () => {
      // A conversation that the file does not hold yet is written with its first message, changes and all.
      if (event.type !== 'conversation_changed' || claimer.stored || this.#created) this.#writer.write(event);
    });
    if (!followed) throw new Error(`event ${event.type} does not follow from the transcript`);
  }

  /** Queues the conversation's own row for the file, if that does not hold it. */
  create(): void {
    if (this.#its.claimer.stored || this.#created) return;
    this.#created = true;
    for (const change of this.#its.origin()) void this.write(change);
  }

  write(change: Change): Promise<WriteOutcome> {
    const { claimer, save } = this.#its;
    const fence = isOfRun(change) ? claimer.fence : undefined;
    const write = this.#store.write({
      conversationId: this.#id,
      at: this.#clock.now(),
      change,
      ...(fence === undefined ? {} : { fence }),
    });
    if (change.type === 'run_started') claimer.started(change.fence, write);
    save.follow(write, change.type === 'message_added' || change.type === 'message_queued');
    void write.then((outcome) => {
      if (outcome === 'fenced' && change.type === 'run_started') this.#its.rescue();
      // Also when the turn is over already: then what is in memory never came into the file.
      if (outcome === 'fenced' && fence !== undefined && fence === claimer.usedFence) this.#its.lost();
    });
    return write;
  }

  /** Hands over what was not written yet. */
  flush(): void {
    this.#writer.flush();
  }

  /** The conversation is about to be read anew: what is not written yet is somebody else's. */
  forget(): void {
    this.#writer.forget();
  }
}
