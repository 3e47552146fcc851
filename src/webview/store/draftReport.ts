import { draftNotification, type DraftParams } from '../../protocol/wire';
import type { HostPort } from '../host/hostPort';
import { DRAFT_EVERY_MS } from '../limits';

/** Tells the host what stands in the composer: the last word wins, and typing does not flood the channel. */
export class DraftReport {
  readonly #host: HostPort;
  #waiting: DraftParams | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HostPort) {
    this.#host = host;
  }

  /** Told a little later, unless a newer one comes. */
  tell(draft: DraftParams): void {
    if (this.#waiting?.conversationId !== draft.conversationId) this.flush();
    this.#waiting = draft;
    this.#timer ??= setTimeout(() => this.flush(), DRAFT_EVERY_MS);
  }

  /** Tells now what waits to be told. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const draft = this.#waiting;
    this.#waiting = undefined;
    if (draft !== undefined) this.#host.tell(draftNotification, draft);
  }
}
