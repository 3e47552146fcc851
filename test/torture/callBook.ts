import type { Acked, GivenLeave, MarkedCall } from './lines';
import type { Problem } from './problem';
import type { StoredConversation } from './stored';

interface Effect {
  readonly who: string;
  /** That it begins was acknowledged. Otherwise the file may never know of it: the person was told so. */
  recorded: boolean;
}

/**
 * What is known of the calls with effects: when it was acknowledged that they begin, what people allowed, what they did.
 * All lines of one window come in their order; those of several do not.
 */
export class CallBook {
  readonly #begun = new Set<string>();
  readonly #allowed = new Set<string>();
  readonly #allowedUnsaved = new Set<string>();
  readonly #effects = new Map<string, Effect>();

  acknowledged(who: string, { conversation, parts = [] }: Acked): void {
    for (const { mark, state } of parts) {
      if (mark === undefined || state !== 'running') continue;
      this.#begun.add(`${who} ${conversation} ${mark}`);
      const effect = this.#effects.get(`${conversation} ${mark}`);
      // What was done unrecorded is in the file by now.
      if (effect?.who === who) effect.recorded = true;
    }
  }

  /** A person answers: whether that is taken is yet to be seen. */
  leaveGiven(who: string, { conversation, mark, command, answer, unsaved }: GivenLeave): void {
    if (answer === 'deny') return;
    this.#allowed.add(`${who} ${conversation} ${mark}`);
    if (unsaved) this.#allowedUnsaved.add(`${who} ${conversation} ${mark}`);
    if (answer === 'grant') this.#allowed.add(`${who} ${conversation} $ ${command}`);
  }

  /** A call does what it does. `at`: ms since the start, where that is known. */
  effected(who: string, { conversation, mark, command }: MarkedCall, at?: number): readonly Problem[] {
    const problems: Problem[] = [];
    const fault = (invariant: Problem['invariant'], what: string): void => {
      problems.push({
        invariant,
        words: `${conversation}: ${who} made call ${mark}${what}.`,
        conversation,
        ...(at === undefined ? {} : { at }),
      });
    };
    const call = `${conversation} ${mark}`;
    const before = this.#effects.get(call);
    if (before?.recorded === true) fault('effectsTwice', `, which ${before.who} had made`);
    const recorded = this.#begun.has(`${who} ${call}`);
    if (!recorded && !this.#allowedUnsaved.has(`${who} ${call}`))
      fault('effectsUnasked', ' before it was acknowledged that it begins');
    // A change of a file may be allowed by the mode.
    const asks = command !== undefined;
    if (asks && !this.#allowed.has(`${who} ${call}`) && !this.#allowed.has(`${who} ${conversation} $ ${command}`))
      fault('effectsUnasked', ', and nobody had allowed it there');
    this.#effects.set(call, { who, recorded });
    return problems;
  }

  /** Calls that did something, though the file says that they never ran. */
  madeInVain({ ulid, messages }: StoredConversation): readonly Problem[] {
    return [...messages.values()].flatMap(({ seq, parts }) =>
      [...parts].flatMap(([idx, { state, mark }]): readonly Problem[] => {
        if (state !== 'denied' && state !== 'expired') return [];
        const effect = this.#effects.get(`${ulid} ${mark}`);
        if (effect?.recorded !== true) return [];
        const words = `${ulid}: call ${mark}, part ${idx} of message ${seq}, is ${state}, and ${effect.who} made it.`;
        return [{ invariant: 'ranAfterNo', words, conversation: ulid }];
      }),
    );
  }
}
