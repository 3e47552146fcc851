import { CallBook } from './callBook';
import type { Entry } from './journal';
import type { Acked, WorkerLine } from './lines';
import type { Problem } from './problem';

/** What reaches us a little late: a frozen window tells what it saw when it goes on. */
const SLACK_MS = 5_000;

export interface AckedEntry extends Acked {
  /** When it was heard: ms since the start. */
  readonly heardAt: number;
  readonly who: string;
}

interface Asking {
  readonly who: string;
  /** Until when a run may be lost to it. */
  to: number;
}

/** Everything that the store promised, by conversation, and who asked to take over what. */
export class Ledger {
  /** What became of the calls with effects. */
  readonly calls = new CallBook();
  readonly #acked = new Map<string, AckedEntry[]>();
  readonly #runs = new Map<string, number>();
  readonly #askings = new Map<string, Asking[]>();
  #size = 0;

  /** Number of changes that were acknowledged. */
  get size(): number {
    return this.#size;
  }

  get conversations(): ReadonlyMap<string, readonly AckedEntry[]> {
    return this.#acked;
  }

  acknowledged(who: string, acked: Acked, { at }: Entry): void {
    this.#size += 1;
    const list = this.#acked.get(acked.conversation) ?? [];
    list.push({ ...acked, heardAt: at, who });
    this.#acked.set(acked.conversation, list);
    this.calls.acknowledged(who, acked);
    if (acked.type === 'run_started') this.#runs.set(`${acked.conversation} ${acked.fence}`, at);
  }

  takeoverAsked(who: string, conversation: string): void {
    const askings = this.#askings.get(conversation) ?? [];
    askings.push({ who, to: Number.POSITIVE_INFINITY });
    this.#askings.set(conversation, askings);
  }

  /** What `who` asked for has been answered, or `who` is gone. */
  takeoversOver(who: string, at: number): void {
    for (const asking of [...this.#askings.values()].flat()) {
      if (asking.who === who) asking.to = Math.min(asking.to, at);
    }
  }

  /** A window that lives was told that its run is not its own. Nothing is wrong when somebody asked for that run. */
  fenced(who: string, line: Extract<WorkerLine, { kind: 'fenced' }>, { at }: Entry): Problem | undefined {
    // Its row was never acknowledged: another window was quicker, and it never had the run.
    if (!line.started) return undefined;
    const started = this.#runs.get(`${line.conversation} ${line.fence}`) ?? 0;
    const asked = (this.#askings.get(line.conversation) ?? []).some(({ to }) => to + SLACK_MS >= started);
    if (asked) return undefined;
    const words = `${who} lives, and its run ${line.fence} of ${line.conversation} was taken: ${line.type} was fenced.`;
    return { invariant: 'wrongTakeovers', words, conversation: line.conversation, at };
  }
}
