import { homedir } from 'node:os';
import type { Message } from '../../protocol/message';
import { gatherContext, type GatheredContext } from '../agent/context/gather';
import type { Clock } from '../base/clock';
import type { Log } from '../base/log';

/** Reads the files of the person and the folder that go along with the requests of this window. */
export class ContextFiles {
  readonly #clock: Clock;
  readonly #log: Log;
  #said: ReadonlySet<string> = new Set();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log.sub('context');
  }

  /** What they say now. `root`: the folder that may be read; undefined: none. Never rejects. */
  async gather(
    root: string | undefined,
    messages: readonly Message[],
    signal: AbortSignal,
  ): Promise<Pick<GatheredContext, 'texts' | 'skills'>> {
    const home = personsHome();
    const places = { ...(home === undefined ? {} : { home }), ...(root === undefined ? {} : { root }) };
    const gathered = await gatherContext(places, messages, this.#clock, signal);
    if (!signal.aborted) this.#say(gathered.complaints);
    return gathered;
  }

  /** Files are read at every turn: what is wrong with one is said when it is new. */
  #say(complaints: readonly string[]): void {
    for (const line of complaints) if (!this.#said.has(line)) this.#log.warn(line);
    this.#said = new Set(complaints);
  }
}

/** Asked anew each time: the environment that it comes from may change. Undefined for a user whom the system knows no home of. */
export function personsHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}
